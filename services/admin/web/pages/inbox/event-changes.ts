import type { LiveEvent } from '../../live/live.tsx';
import type { Content, Message } from '../../messages/shapes.ts';

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
