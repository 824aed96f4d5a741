import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Chat, Id, Jid, closed } from '../../shapes.ts';

export const MarkMessagesRead = operation({
  name: 'MarkMessagesRead',
  owner: 'inbox',
  method: 'POST',
  path: '/messages/mark-read',
  access: 'message:send',
  tag: 'Messages',
  audit: 'message.mark_read',
  summary: 'Mark messages read',
  means:
    'Sends read receipts: for the messages named, or for what is unread in the whole chat (the newest 1000). What is older than the ' +
    'newest message named is read with it. The chat is named by its JID or phone, or by the id of its conversation. ' +
    'Passes no send gate; is never queued.',
  body: closed({
    profileId: Id,
    chatId: Chat,
    messageIds: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true, description: 'Absent: the whole chat' }),
    ),
  }),
  answers: {
    200: {
      body: closed({ chatId: Jid, messageIds: Type.Array(Id) }),
      means: 'The network was told that these are read.',
      example: { chatId: '4915112345678@c.us', messageIds: ['0198c0de-0000-7000-8000-000000000002'] },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'PROFILE_NOT_CONNECTED', 'ENGINE_UNSUPPORTED'],
  example: { profileId: '0198c0de-0000-7000-8000-000000000001', chatId: '4915112345678@c.us' },
});
