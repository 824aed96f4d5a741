import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import type { AnswererKind } from '../answerers/answerer.ts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { runStream, type CancelledReason, type RefusedReason, type RunEvent, type RunStatus } from './run.ts';

/** A run as it is shown. What its runner needs, it reads itself (`RunRecords`). */
export const RunEntity = defineEntity({
  name: 'RunEntity',
  tableName: 'runs',
  properties: {
    runId: p.uuid().primary(),
    organizationId: p.uuid(),
    profileId: p.uuid(),
    answererId: p.uuid(),
    kind: p.text().$type<AnswererKind>(),
    conversationId: p.uuid(),
    messageId: p.uuid().nullable(),
    status: p.text().$type<RunStatus>(),
    reason: p.text().$type<RefusedReason | CancelledReason>().nullable(),
    startedAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
  },
});
export type RunRecord = InferEntity<typeof RunEntity>;

/** How often an answerer has answered. */
export const AnswererStatsEntity = defineEntity({
  name: 'AnswererStatsEntity',
  tableName: 'answerer_stats',
  properties: {
    answererId: p.uuid().primary(),
    organizationId: p.uuid(),
    triggered: p.bigint('number'),
    succeeded: p.bigint('number'),
    failed: p.bigint('number'),
    lastTriggeredAt: p.datetime(3).nullable(),
  },
});

/** Milliseconds. */
const leaseMs = 4_000;

/** Runs as they stand, and when somebody has to go on with them. */
export const runsView = view({
  name: 'runs',
  of: runStream,
  on: ['RunStarted', 'RunRefused', 'StepPostponed', 'StepSettled', 'RunEnded'],
  // A command may begin and end a run: one row.
  rows: (events) => [Object.assign({}, ...events.map(rowOf)) as object],
  sql: `
    INSERT INTO {schema}.runs AS r (run_id, organization_id, profile_id, answerer_id, kind, conversation_id, message_id, status,
                                    reason, started_at, ended_at, next_look_at)
    SELECT given.run_id, given.organization_id, coalesce(given.profile_id, given.run_id), coalesce(given.answerer_id, given.run_id),
           coalesce(given.kind, ''), coalesce(given.conversation_id, given.run_id), given.message_id, given.status, given.reason,
           coalesce(given.started_at, given.at), given.ended_at, given.next_look_at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             run_id uuid, organization_id uuid, profile_id uuid, answerer_id uuid, kind text, conversation_id uuid, message_id uuid,
             status text, reason text, started_at timestamptz, ended_at timestamptz, next_look_at timestamptz, at timestamptz)
    ON CONFLICT (run_id) DO UPDATE SET
      status = excluded.status, reason = excluded.reason, ended_at = excluded.ended_at, next_look_at = excluded.next_look_at`,
});

type Shown = Extract<RunEvent, { type: 'RunStarted' | 'RunRefused' | 'StepPostponed' | 'StepSettled' | 'RunEnded' }>;

function rowOf({ type, data, metadata: { organizationId } }: RecordedAs<Shown>): object {
  const row = { run_id: data.runId, organization_id: organizationId, at: data.at };
  switch (type) {
    // Whoever began it goes on at once; others only when it died.
    case 'RunStarted':
    case 'RunRefused': {
      const { profileId, answererId, kind, conversationId, messageId, at } = data;
      return {
        ...row,
        profile_id: profileId,
        answerer_id: answererId,
        kind,
        conversation_id: conversationId,
        message_id: messageId,
        started_at: at,
        ...(type === 'RunStarted'
          ? { status: 'running', next_look_at: leased(at) }
          : { status: 'refused', reason: data.reason, ended_at: at }),
      };
    }
    case 'StepPostponed':
      return { ...row, status: 'waiting', next_look_at: data.until };
    case 'StepSettled':
      return { ...row, status: 'running', next_look_at: leased(data.at) };
    case 'RunEnded':
      return { ...row, status: data.status, reason: data.reason, ended_at: data.at, next_look_at: null };
  }
}

/** @param at ISO 8601 */
const leased = (at: string): string => new Date(Date.parse(at) + leaseMs).toISOString();

/** The run of each message. */
export const runMessagesView = view({
  name: 'run_messages',
  of: runStream,
  on: ['MessageReleased'],
  rows: (events) =>
    events.map(({ data: { messageId, runId }, metadata: { organizationId } }) => ({
      messageId,
      runId,
      organizationId,
    })),
  sql: `
    INSERT INTO {schema}.run_messages (message_id, run_id, organization_id)
    SELECT (row->>'messageId')::uuid, (row->>'runId')::uuid, (row->>'organizationId')::uuid FROM {rows}
    ON CONFLICT (message_id) DO NOTHING`,
});

/** How often each has answered: counted as it is written, kept when the runs are forgotten. */
export const statsView = view({
  name: 'answerer_stats',
  of: runStream,
  on: ['RunStarted', 'RunRefused', 'RunEnded'],
  rows: (events) =>
    events.map(({ type, data, metadata: { organizationId } }) => ({
      answererId: data.answererId,
      organizationId,
      triggered: type === 'RunEnded' ? 0 : 1,
      succeeded: type === 'RunEnded' && data.status === 'completed' ? 1 : 0,
      failed: type === 'RunEnded' && data.status === 'failed' ? 1 : 0,
      ...(type !== 'RunEnded' && { at: data.at }),
    })),
  sql: `
    INSERT INTO {schema}.answerer_stats AS s (answerer_id, organization_id, triggered, succeeded, failed, last_triggered_at)
    SELECT (row->>'answererId')::uuid, (row->>'organizationId')::uuid, sum((row->>'triggered')::int),
           sum((row->>'succeeded')::int), sum((row->>'failed')::int), max((row->>'at')::timestamptz)
      FROM {rows} GROUP BY 1, 2 ORDER BY 1
    ON CONFLICT (answerer_id) DO UPDATE SET
      triggered = s.triggered + excluded.triggered, succeeded = s.succeeded + excluded.succeeded,
      failed = s.failed + excluded.failed, last_triggered_at = greatest(s.last_triggered_at, excluded.last_triggered_at)`,
});

const quarterMs = 15 * 60_000;

/** Counts of flows by quarters of an hour: for statistics. */
export const flowQuartersView = view({
  name: 'flow_quarters',
  of: runStream,
  on: ['RunStarted', 'RunRefused', 'RunEnded'],
  rows: (events) =>
    events
      .filter(({ data }) => data.kind === 'flow')
      .map(({ type, data, metadata: { organizationId } }) => ({
        organizationId,
        quarter: new Date(Math.floor(Date.parse(data.at) / quarterMs) * quarterMs).toISOString(),
        answererId: data.answererId,
        profileId: data.profileId,
        triggered: type === 'RunEnded' ? 0 : 1,
        succeeded: type === 'RunEnded' && data.status === 'completed' ? 1 : 0,
        failed: type === 'RunEnded' && data.status === 'failed' ? 1 : 0,
      })),
  sql: `
    INSERT INTO {schema}.flow_quarters AS q (organization_id, quarter, answerer_id, profile_id, triggered, succeeded, failed)
    SELECT (row->>'organizationId')::uuid, (row->>'quarter')::timestamptz, (row->>'answererId')::uuid, (row->>'profileId')::uuid,
           sum((row->>'triggered')::int), sum((row->>'succeeded')::int), sum((row->>'failed')::int)
      FROM {rows} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3
    ON CONFLICT (organization_id, quarter, answerer_id) DO UPDATE SET
      triggered = q.triggered + excluded.triggered, succeeded = q.succeeded + excluded.succeeded, failed = q.failed + excluded.failed`,
});
