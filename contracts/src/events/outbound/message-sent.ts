import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, Jid, MessageType, Origin, closed } from '../../shapes.ts';

export const MessageSent = event({
  type: 'message.sent',
  version: 1,
  owner: 'outbound',
  alsoToldBy: ['inbox'],
  visibility: 'public',
  means:
    'The network took the message and gave it an id. The inbox tells it of what the owner writes on the phone (`origin` phone).',
  data: closed({
    messageId: Id,
    networkMessageId: Type.String(),
    to: Jid,
    type: MessageType,
    conversationId: Id,
    origin: Origin,
  }),
  example: {
    messageId: '0198c0de-0000-7000-8000-000000000001',
    networkMessageId: '3EB0C767D82B1F2A',
    to: '4915112345678@c.us',
    type: 'text',
    conversationId: '0198c0de-0000-7000-8000-000000000002',
    origin: 'api',
  },
});
