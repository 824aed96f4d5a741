import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, Jid, Recipient, closed, oneOf, typingStates } from '../../shapes.ts';

const State = oneOf(typingStates, { title: 'TypingState' });

export const SetTyping = operation({
  name: 'SetTyping',
  owner: 'outbound',
  method: 'POST',
  path: '/messages/typing',
  access: 'message:send',
  tag: 'Messages',
  audit: false,
  summary: 'Set typing presence',
  means:
    'Shows the chat that the profile is writing (`composing`, the default) or recording, until `paused`, a message, or about 25 ' +
    'seconds later. Passes no send gate; is never queued.',
  body: closed({ profileId: Id, to: Recipient, state: Type.Optional(State) }),
  answers: {
    200: {
      body: closed({ state: State, to: Jid }),
      means: 'The network was told.',
      example: { state: 'composing', to: '4915112345678@c.us' },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'PROFILE_NOT_CONNECTED', 'ENGINE_UNSUPPORTED', 'ENGINE_TIMEOUT'],
  example: { profileId: '0198c0de-0000-7000-8000-000000000001', to: '4915112345678', state: 'composing' },
});
