import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

const removing = {
  owner: 'inbox',
  method: 'DELETE',
  access: 'message:delete',
  tag: 'Conversations',
  params: closed({ id: Id }),
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
} as const;

export const DeleteConversation = operation({
  ...removing,
  name: 'DeleteConversation',
  path: '/conversations/:id',
  summary: 'Delete',
  means:
    'Deletes the conversation and its messages, in the gateway only. It comes back, empty of what was before, with the next message.',
  answers: { 204: { means: 'It is gone.' } },
});

export const ClearConversation = operation({
  ...removing,
  name: 'ClearConversation',
  path: '/conversations/:id/messages',
  summary: 'Clear messages',
  means:
    'Deletes all messages of the conversation, in the gateway only. The conversation stays, without unread messages.',
  answers: { 204: { means: 'The messages are gone.' } },
});
