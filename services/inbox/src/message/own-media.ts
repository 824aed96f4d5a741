import { keyOfMediaUrl, mediaKey, namedUuids, type MessageStatusWord } from '@messaging-gateway/contracts';
import { publicId } from './records.ts';

/** The fields of a message that tell which media belong to it. */
export interface MessageWithMedia {
  readonly id: string;
  /** Id of its row. */
  readonly place: string;
  readonly organization_id: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly status: MessageStatusWord;
  /** `content.media.url` of a message that came in. */
  readonly arrived_url: string | null;
  /** `content.url` of a message that went out. */
  readonly sent_url: string | null;
}

/** Columns of `MessageWithMedia`; the message is `m`. */
export const mediaColumns = `${publicId} AS id, m.id AS place, m.organization_id, m.direction, m.status,
  m.content->'media'->>'url' AS arrived_url, m.content->>'url' AS sent_url`;

/** States of messages that are still to be sent, or may have to be sent again. */
const underWay: ReadonlySet<MessageStatusWord> = new Set(['queued', 'sending', 'unknown']);

/**
 * Keys of stored media that are a message's alone: what came in with it, and base64 in the body of its send route. An
 * upload may be used by many messages; it goes with time.
 */
export function ownMedia(message: MessageWithMedia): string[] {
  const { id, organization_id: organizationId, status } = message;
  const arrived = message.arrived_url === null ? undefined : keyOfMediaUrl(message.arrived_url);
  const sent = message.sent_url === null ? undefined : keyOfMediaUrl(message.sent_url);
  const given = mediaKey({ organizationId }, namedUuids(id)('body.base64'));
  return [
    ...(message.direction === 'incoming' && arrived !== undefined ? [arrived] : []),
    ...(message.direction === 'outgoing' && sent === given && !underWay.has(status) ? [given] : []),
  ];
}
