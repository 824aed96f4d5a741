import { event } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

export const ConversationRead = event({
  type: 'conversation.read',
  version: 1,
  owner: 'inbox',
  visibility: 'public',
  means:
    'The owner read or answered a conversation on the phone or on another linked device, and its `unreadCount` became 0. ' +
    'Not published when the conversation is read or answered through the API.',
  data: closed({ conversationId: Id }),
  example: { conversationId: '0198c0de-0000-7000-8000-000000000002' },
});
