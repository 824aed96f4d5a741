import { keyOfMediaUrl, type BroadcastMessageOf } from '@messaging-gateway/contracts';
import { view } from '@messaging-gateway/event-sourcing';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { Job, ServiceTools } from '@messaging-gateway/service';
import type { CampaignsSettings } from '../config.ts';
import { releasing, storedKeyIn, withKeptMedia, type Holders, type Keeping } from '../media/kept-media.ts';
import { broadcastStream, type FixedMessage } from './broadcast.ts';

export type MediaTools = Pick<ServiceTools<CampaignsSettings>, 'sql' | 'media' | 'clock' | 'settings'>;

const hourMs = 3_600_000;
const broadcasts: Holders = { table: 'broadcast_media', owner: 'broadcast_id' };

type OfBroadcast = Omit<Keeping, 'path'>;

/**
 * Keeps the media of a draft's content for it, however long it waits and runs.
 *
 * @throws Refused VALIDATION_ERROR naming the field, MEDIA_UNAVAILABLE, PAYLOAD_TOO_LARGE
 */
export async function keptForDraft(
  tools: MediaTools,
  message: BroadcastMessageOf,
  keeping: OfBroadcast,
): Promise<BroadcastMessageOf> {
  const { type, content } = message;
  if (type === undefined || content === undefined) return message;
  const path = 'body.message.content';
  return { ...message, content: await withKeptMedia(tools, broadcasts, type, content, { ...keeping, path }) };
}

/**
 * Keeps what is sent for the broadcast that starts: the media of a template may go with it.
 *
 * @throws Refused VALIDATION_ERROR naming `message` when they are gone
 */
export async function keptForStart(
  tools: MediaTools,
  message: FixedMessage,
  keeping: OfBroadcast,
): Promise<FixedMessage> {
  const { type, content } = message;
  const { url, base64 } = content;
  // What lies elsewhere is fetched as it is sent.
  if (base64 === undefined && (typeof url !== 'string' || keyOfMediaUrl(url) === undefined)) return message;
  const path = 'message.content';
  try {
    return { ...message, content: await withKeptMedia(tools, broadcasts, type, content, { ...keeping, path }) };
  } catch (error) {
    if (error instanceof Refused && error.code === 'MEDIA_UNAVAILABLE')
      throw invalid([{ path, message: 'names media that are not stored here any more' }]);
    throw error;
  }
}

/** Media are a broadcast's from the statement that says so until the one that ends or deletes it. */
export const mediaHeldView = view({
  name: 'broadcast_media_held',
  of: broadcastStream,
  on: [
    'BroadcastDrafted',
    'BroadcastChanged',
    'BroadcastStarted',
    'BroadcastCancelled',
    'BroadcastCompleted',
    'BroadcastFailed',
    'BroadcastDeleted',
  ],
  rows: (events) =>
    events.map(({ type, data }) => ({
      broadcastId: data.broadcastId,
      key: 'message' in data && typeof data.message === 'object' ? storedKeyIn(data.message.content) : null,
      used: type === 'BroadcastStarted',
      at: type === 'BroadcastDrafted' ? data.createdAt : data.at,
    })),
  sql: `
    UPDATE {schema}.broadcast_media held
       SET released_at = CASE WHEN held.key = row->>'key' THEN NULL
                              ELSE coalesce(held.released_at, (row->>'at')::timestamptz) END,
           used = held.used OR ((row->>'used')::boolean AND held.key = row->>'key')
      FROM {rows} WHERE held.broadcast_id = (row->>'broadcastId')::uuid`,
});

/**
 * Deletes what no broadcast holds: as late as an upload when something was sent with it, which shows it in its chat; else when no
 * request can be about to use it.
 */
export const releasingMedia = (tools: MediaTools): Job =>
  releasing(tools, broadcasts, 'media of broadcasts', () => {
    const { queuedMessageTtlHours: waits, uploadRetentionDays: days } = tools.settings;
    const before = (hours: number): Date => new Date(tools.clock.now() - hours * hourMs);
    return ['released_at < $2 AND (NOT used OR released_at < $3)', before(waits), before(Math.max(waits, days * 24))];
  });
