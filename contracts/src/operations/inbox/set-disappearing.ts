import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';
import { Conversation, conversationExample } from './shapes.ts';

export const SetDisappearing = operation({
  name: 'SetDisappearing',
  owner: 'inbox',
  method: 'PUT',
  path: '/conversations/:id/disappearing',
  access: 'message:send',
  tag: 'Conversations',
  audit: { action: 'conversation.disappearing', carriedOut: true },
  summary: 'Set the disappearing timer',
  means:
    'Sets after how many seconds new messages of the conversation disappear on phones: 0 (never), 86400, 604800 or 7776000. ' +
    'In a group the profile must be an admin. Every message that is sent to the conversation carries its timer, whoever set it. ' +
    'The timer does not delete messages in the gateway: `settings.retention` does.',
  params: closed({ id: Id }),
  body: closed({
    seconds: Type.Union([Type.Literal(0), Type.Literal(86_400), Type.Literal(604_800), Type.Literal(7_776_000)], {
      description: '0: messages do not disappear',
    }),
  }),
  answers: {
    200: {
      body: Conversation,
      means: 'The conversation.',
      example: { ...conversationExample, disappearAfterSeconds: 604_800 },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'PROFILE_NOT_CONNECTED', 'ENGINE_REFUSED', 'ENGINE_TIMEOUT'],
  timeoutMs: 30_000,
  example: { seconds: 604_800 },
});
