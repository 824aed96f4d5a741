import { view } from '@messaging-gateway/event-sourcing';
import { broadcastStream } from './broadcast.ts';

/** A row for each broadcast; what its recipients and its runner add to it, they write themselves. */
export const broadcastRows = view({
  name: 'broadcasts',
  of: broadcastStream,
  on: ['BroadcastDrafted'],
  rows: (events) =>
    events.map(({ data: { broadcastId, profileId, name, createdAt }, metadata: { organizationId } }) => ({
      broadcastId,
      organizationId,
      profileId,
      name,
      createdAt,
    })),
  sql: `
    INSERT INTO {schema}.broadcasts (broadcast_id, organization_id, profile_id, name, status, created_at, updated_at)
    SELECT (row->>'broadcastId')::uuid, (row->>'organizationId')::uuid, (row->>'profileId')::uuid, row->>'name', 'draft',
      (row->>'createdAt')::timestamptz, (row->>'createdAt')::timestamptz
    FROM {rows} ON CONFLICT DO NOTHING`,
});

/** How far broadcasts have come. What is to be looked at, and when, follows from the state. */
export const broadcastProgress = view({
  name: 'broadcast_progress',
  of: broadcastStream,
  on: [
    'BroadcastChanged',
    'BroadcastScheduled',
    'BroadcastStarted',
    'BroadcastPaused',
    'BroadcastResumed',
    'BroadcastCancelled',
    'BroadcastCompleted',
    'BroadcastFailed',
  ],
  rows: (events) =>
    events.map(({ type, data }) => {
      const { broadcastId, at } = data;
      switch (type) {
        case 'BroadcastChanged':
          return { broadcastId, at, name: data.name };
        case 'BroadcastScheduled':
          return { broadcastId, at, status: 'scheduled', scheduledAt: data.scheduledAt, lookAt: data.scheduledAt };
        case 'BroadcastStarted': {
          const { audienceId, total, skipped, zones, message } = data;
          const hasVariants = message.variants !== undefined;
          const started = { startedAt: at, audienceId, total, skipped, zones, hasVariants };
          return { broadcastId, at, status: 'running', ...started, lookAt: at };
        }
        case 'BroadcastPaused': {
          const isByLimit = data.reason === 'daily_limit';
          const looks = isByLimit ? { lookAt: at } : { rests: true };
          return {
            broadcastId,
            at,
            status: 'paused',
            pausedReason: data.reason,
            resumesAt: data.resumesAt,
            ...looks,
          };
        }
        case 'BroadcastResumed':
          return { broadcastId, at, status: 'running', lookAt: at };
        case 'BroadcastCancelled':
          return { broadcastId, at, status: 'cancelled', completedAt: at };
        case 'BroadcastCompleted':
          return { broadcastId, at, status: 'completed', completedAt: at };
        case 'BroadcastFailed':
          return { broadcastId, at, status: 'failed', completedAt: at, failedReason: data.reason };
      }
    }),
  // A broadcast that has ended is looked at once more, for what is still on its way.
  sql: `
    UPDATE {schema}.broadcasts AS broadcast SET
      name = coalesce(row->>'name', name),
      updated_at = (row->>'at')::timestamptz,
      status = coalesce(row->>'status', status),
      paused_reason = CASE WHEN row->>'status' IS NULL THEN paused_reason ELSE row->>'pausedReason' END,
      resumes_at = CASE WHEN row->>'status' IS NULL THEN resumes_at ELSE (row->>'resumesAt')::timestamptz END,
      failed_reason = coalesce(row->>'failedReason', failed_reason),
      scheduled_at = coalesce((row->>'scheduledAt')::timestamptz, scheduled_at),
      started_at = coalesce((row->>'startedAt')::timestamptz, started_at),
      completed_at = coalesce((row->>'completedAt')::timestamptz, completed_at),
      audience_id = coalesce((row->>'audienceId')::uuid, audience_id),
      total = coalesce((row->>'total')::int, total),
      skipped = coalesce((row->>'skipped')::int, skipped),
      zones = coalesce(row->'zones', zones),
      has_variants = coalesce((row->>'hasVariants')::boolean, has_variants),
      waiting = CASE WHEN row->>'status' IS NULL THEN waiting ELSE NULL END,
      waiting_until = CASE WHEN row->>'status' IS NULL THEN waiting_until ELSE NULL END,
      waiting_since = CASE WHEN row->>'status' IS NULL THEN waiting_since ELSE NULL END,
      next_look_at = CASE
        WHEN row->>'status' IS NULL THEN next_look_at
        WHEN (row->>'rests')::boolean THEN CASE WHEN open > 0 THEN next_look_at END
        WHEN row->>'completedAt' IS NOT NULL THEN CASE WHEN open > 0 THEN next_look_at END
        ELSE (row->>'lookAt')::timestamptz END
    FROM {rows} WHERE broadcast.broadcast_id = (row->>'broadcastId')::uuid`,
});

/** The recipients of a broadcast that was deleted go soon. */
export const deletedAudiences = view({
  name: 'audiences_deleted',
  of: broadcastStream,
  on: ['BroadcastDeleted'],
  rows: (events) => events.map(({ data }) => ({ broadcastId: data.broadcastId })),
  sql: `
    INSERT INTO {schema}.audiences_to_go (audience_id, organization_id, since)
    SELECT audience_id, organization_id, '-infinity' FROM {schema}.broadcasts, {rows}
     WHERE broadcast_id = (row->>'broadcastId')::uuid AND audience_id IS NOT NULL
    ON CONFLICT (audience_id) DO UPDATE SET since = excluded.since`,
});

/** A broadcast that was deleted. */
export const deletedBroadcasts = view({
  name: 'broadcasts_deleted',
  of: broadcastStream,
  on: ['BroadcastDeleted'],
  rows: (events) => events.map(({ data }) => ({ broadcastId: data.broadcastId })),
  sql: `
    DELETE FROM {schema}.broadcasts USING {rows} WHERE broadcast_id = (row->>'broadcastId')::uuid`,
});
