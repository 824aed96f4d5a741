import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';
import { Conversation, conversationExample } from './shapes.ts';

export const ReadConversation = operation({
  name: 'ReadConversation',
  owner: 'inbox',
  method: 'PUT',
  path: '/conversations/:id/read',
  access: 'message:send',
  tag: 'Conversations',
  summary: 'Mark read',
  means:
    'Sets the unread count to zero and, when the profile is connected, sends read receipts for the messages that were unread, ' +
    'the newest 1000 of them. An answer through the API sets the count to zero without read receipts; they are sent here then.',
  params: closed({ id: Id }),
  answers: {
    200: { body: Conversation, means: 'The conversation.', example: { ...conversationExample, unreadCount: 0 } },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
