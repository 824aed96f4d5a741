import { Type } from 'typebox';
import { ShownContent } from '../../content/index.ts';
import { event } from '../../contract.ts';
import { Id, Jid, MessageType, Origin, Timestamp, closed } from '../../shapes.ts';

export const MessageSent = event({
  type: 'message.sent',
  version: 3,
  owner: 'outbound',
  alsoToldBy: ['inbox'],
  visibility: 'public',
  means:
    'The network took the message and gave it an id. The inbox tells it of what the owner writes on the phone (`origin` phone).',
  data: closed({
    messageId: Id,
    networkMessageId: Type.String(),
    to: Jid,
    requestedTo: Type.Optional({
      ...Jid,
      description:
        'The address that the client named, when the network returned another form of the number. `to` is the returned one',
    }),
    type: MessageType,
    conversationId: Id,
    origin: Origin,
    content: Type.Optional(
      Type.Union([...ShownContent.anyOf], { description: 'What was sent; absent when an earlier version sent it' }),
    ),
    quotedMessageId: Type.Optional(Id),
    timestamp: Type.Optional(Timestamp),
  }),
  example: {
    messageId: '0198c0de-0000-7000-8000-000000000001',
    networkMessageId: '3EB0C767D82B1F2A',
    to: '4915112345678@c.us',
    type: 'text',
    conversationId: '0198c0de-0000-7000-8000-000000000002',
    origin: 'api',
    content: { type: 'text', text: 'Hello' },
    timestamp: '2026-01-01T00:00:00.000Z',
  },
});
