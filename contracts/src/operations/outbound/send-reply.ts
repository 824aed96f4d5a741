import { Type } from 'typebox';
import { Id, closed } from '../../shapes.ts';
import { mentions, words } from './send-fields.ts';
import { sendOperation } from './send-operation.ts';

export const SendReply = sendOperation({
  name: 'SendReply',
  path: '/messages/reply',
  summary: 'Reply to a message',
  means:
    'A text message that quotes a message of the profile, in the chat of that message. Passes the send gate as any text message does.',
  body: closed({
    profileId: Id,
    quotedMessageId: Id,
    text: words,
    mentions,
    linkPreview: Type.Optional(Type.Boolean()),
  }),
  example: { quotedMessageId: '0198c0de-0000-7000-8000-000000000002', text: 'Gladly' },
});
