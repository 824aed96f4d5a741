import { Type } from 'typebox';
import { Id, closed } from '../../shapes.ts';
import { sendOperation } from './send-operation.ts';

export const SendReaction = sendOperation({
  name: 'SendReaction',
  path: '/messages/reaction',
  audit: 'message.react',
  summary: 'React to a message',
  means:
    'Puts an emoji on a message of the profile, in place of the one that the profile had put there. Takes no place in the daily ' +
    'limit and waits for no delay.',
  body: closed({
    profileId: Id,
    messageId: Id,
    emoji: Type.String({ format: 'emoji', maxLength: 64, description: 'One emoji; empty takes the reaction back' }),
  }),
  example: { messageId: '0198c0de-0000-7000-8000-000000000002', emoji: '👍' },
});
