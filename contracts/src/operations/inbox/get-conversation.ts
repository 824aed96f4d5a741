import { operation } from '../../contract.ts';
import { Id, afterEvent, closed } from '../../shapes.ts';
import { Conversation, conversationExample } from './shapes.ts';

export const GetConversation = operation({
  name: 'GetConversation',
  owner: 'inbox',
  method: 'GET',
  path: '/conversations/:id',
  access: 'message:read',
  tag: 'Conversations',
  summary: 'Get',
  means:
    'A conversation. An id that became an alias (a person known by phone and by LID) leads to the one that stayed.',
  params: closed({ id: Id }),
  query: closed(afterEvent),
  answers: { 200: { body: Conversation, means: 'The conversation.', example: conversationExample } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
