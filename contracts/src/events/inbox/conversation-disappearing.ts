import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Count, Id, Jid, closed } from '../../shapes.ts';

export const ConversationDisappearing = event({
  type: 'conversation.disappearing',
  version: 1,
  owner: 'inbox',
  visibility: 'public',
  means:
    'The timer after which messages of a conversation disappear on phones was set, whoever set it. The gateway does not delete messages for it.',
  data: closed({
    conversationId: Id,
    seconds: { ...Count, description: '0: messages do not disappear any more' },
    author: Type.Optional({ ...Jid, description: 'The person who set the timer, where it is known' }),
    fromMe: Type.Boolean({ description: 'The profile itself or its phone set the timer' }),
  }),
  example: {
    conversationId: '0198c0de-0000-7000-8000-000000000002',
    seconds: 604_800,
    author: '4915112345678@c.us',
    fromMe: false,
  },
});
