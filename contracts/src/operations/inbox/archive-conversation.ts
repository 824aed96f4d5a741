import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';
import { Conversation, conversationExample } from './shapes.ts';

const archiving = {
  owner: 'inbox',
  method: 'PUT',
  access: 'message:send',
  tag: 'Conversations',
  params: closed({ id: Id }),
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
} as const;

export const ArchiveConversation = operation({
  ...archiving,
  name: 'ArchiveConversation',
  path: '/conversations/:id/archive',
  summary: 'Archive',
  means: 'Files the conversation away, in the gateway only. It stays archived when messages arrive.',
  answers: {
    200: { body: Conversation, means: 'The conversation.', example: { ...conversationExample, archived: true } },
  },
});

export const UnarchiveConversation = operation({
  ...archiving,
  name: 'UnarchiveConversation',
  path: '/conversations/:id/unarchive',
  summary: 'Unarchive',
  means: 'Takes the conversation out of the archive.',
  answers: { 200: { body: Conversation, means: 'The conversation.', example: conversationExample } },
});
