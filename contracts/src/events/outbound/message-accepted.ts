import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { MessageContent } from '../../content/index.ts';
import { Id, Jid, MessageType, Origin, Timestamp, closed, oneOf } from '../../shapes.ts';

export const MessageAccepted = event({
  type: 'outbound.message-accepted',
  version: 5,
  owner: 'outbound',
  visibility: 'internal',
  means: 'Outbound took a message in: the inbox stores it, with its content.',
  data: closed({
    messageId: Id,
    profileId: Id,
    conversationId: Id,
    networkMessageId: Type.String(),
    to: Jid,
    type: MessageType,
    content: MessageContent,
    quotedMessageId: Type.Optional(Id),
    origin: Origin,
    templateId: Type.Optional(Id),
    isCode: Type.Optional(Type.Literal(true, { description: 'A one-time code' })),
    mode: oneOf(['synchronous', 'durable']),
    acceptedAt: Timestamp,
  }),
  example: {
    messageId: '0198c0de-0000-7000-8000-000000000001',
    profileId: '0198c0de-0000-7000-8000-000000000002',
    conversationId: '0198c0de-0000-7000-8000-000000000003',
    networkMessageId: '3EB0C767D82B1F2A',
    to: '4915112345678@c.us',
    type: 'text',
    content: { type: 'text', content: { text: 'Hello' } },
    origin: 'api',
    mode: 'synchronous',
    acceptedAt: '2026-01-01T00:00:00.000Z',
  },
});
