import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';
import { Conversation, conversationExample } from './shapes.ts';

export const PinConversation = operation({
  name: 'PinConversation',
  owner: 'inbox',
  method: 'PUT',
  path: '/conversations/:id/pin',
  access: 'message:send',
  tag: 'Conversations',
  summary: 'Pin',
  means:
    'Keeps the conversation at the top of the list, in the gateway only. Without `pinned` it is the other way round than before.',
  params: closed({ id: Id }),
  body: closed({ pinned: Type.Optional(Type.Boolean()) }),
  bodyOptional: true,
  answers: {
    200: { body: Conversation, means: 'The conversation.', example: { ...conversationExample, pinned: true } },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  example: { pinned: true },
});
