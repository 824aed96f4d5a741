import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Failure, Id, Jid, MessageStatus, MessageType, Origin, closed } from '../../shapes.ts';

const message = { messageId: Id, to: Jid, type: MessageType, conversationId: Id, origin: Origin };
const example = {
  messageId: '0198c0de-0000-7000-8000-000000000001',
  to: '4915112345678@c.us',
  type: 'text',
  conversationId: '0198c0de-0000-7000-8000-000000000002',
  origin: 'api',
};

export const MessageQueued = event({
  type: 'message.queued',
  version: 1,
  owner: 'outbound',
  visibility: 'public',
  means: 'A message was stored and will be sent (durable mode).',
  data: closed(message),
  example,
});

export const MessageFailed = event({
  type: 'message.failed',
  version: 1,
  owner: 'outbound',
  visibility: 'public',
  means: 'A message will not be sent any more.',
  data: closed({ ...message, networkMessageId: Type.Optional(Type.String()), error: Failure }),
  example: { ...example, error: { code: 'EXPIRED', message: 'The message could not go out in time.' } },
});

export const MessageStatusChanged = event({
  type: 'message.status',
  version: 2,
  owner: 'outbound',
  visibility: 'public',
  means: 'The status of a message to the network changed. It never moves backwards.',
  data: closed({
    ...message,
    networkMessageId: Type.String(),
    status: MessageStatus,
    previousStatus: MessageStatus,
  }),
  example: { ...example, networkMessageId: '3EB0C767D82B1F2A', status: 'delivered', previousStatus: 'sent' },
});

export const DailyLimitReached = event({
  type: 'profile.daily-limit-reached',
  version: 1,
  owner: 'outbound',
  visibility: 'public',
  means: 'The profile has reached its daily message limit; told once a day.',
  data: closed({
    id: Id,
    limit: Type.Integer({ minimum: 0 }),
    count: Type.Integer({ minimum: 0 }),
    resetAt: Type.String(),
  }),
  example: { id: '0198c0de-0000-7000-8000-000000000001', limit: 100, count: 100, resetAt: '2026-01-02T00:00:00+07:00' },
});
