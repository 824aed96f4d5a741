import type { LiveEvent } from '../../live/live.tsx';
import type { Content, Message } from './shapes.ts';

/** How far a message has come: none goes backwards. */
const order: readonly Message['status'][] = [
  'queued',
  'sending',
  'unknown',
  'failed',
  'sent',
  'delivered',
  'read',
  'played',
  'deleted',
];

/** The later one of two states of a message. */
export const later = (one: Message['status'], other: Message['status']): Message['status'] =>
  order.indexOf(other) > order.indexOf(one) ? other : one;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The message that an event tells whole; undefined where it does not. */
export function messageIn({ event, data, profileId, timestamp }: LiveEvent): Message | undefined {
  const content = data['content'] as Content | undefined;
  if (content === undefined || profileId === undefined || profileId === null) return undefined;
  const at = text(data['timestamp']) ?? timestamp;
  const shared = {
    profileId,
    conversationId: String(data['conversationId']),
    networkMessageId: text(data['networkMessageId']) ?? null,
    type: data['type'] as Message['type'],
    content,
    quotedMessageId: text(data['quotedMessageId']) ?? null,
    error: null,
    timestamp: at,
    createdAt: timestamp,
  };
  if (event === 'message.received')
    return {
      ...shared,
      id: String(data['id']),
      direction: 'incoming',
      from: text(data['from']) ?? null,
      to: text(data['to']) ?? null,
      ...(typeof data['author'] === 'string' && { author: data['author'] }),
      status: 'received',
    };
  if (event === 'message.sent')
    return {
      ...shared,
      id: String(data['messageId']),
      direction: 'outgoing',
      from: null,
      to: text(data['to']) ?? null,
      status: 'sent',
    };
  return undefined;
}
