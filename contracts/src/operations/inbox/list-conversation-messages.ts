import { operation } from '../../contract.ts';
import { afterEvent, closed, Id, page, pageQuery } from '../../shapes.ts';
import { MessageRecord, MessageSearch, messageExample } from './shapes.ts';

const listing = {
  owner: 'inbox',
  method: 'GET',
  access: 'message:read',
  means: 'Newest first, incoming and outgoing, under whichever id the conversation is asked for.',
  query: closed({ ...pageQuery, ...afterEvent, search: MessageSearch }),
  answers: {
    200: {
      body: page(MessageRecord),
      means: 'A page of messages.',
      example: { items: [messageExample], nextCursor: null },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
} as const;

export const ListConversationMessages = operation({
  ...listing,
  name: 'ListConversationMessages',
  path: '/messages/conversation/:conversationId',
  tag: 'Messages',
  summary: 'List messages of a conversation',
  params: closed({ conversationId: Id }),
});

export const ListMessagesOfConversation = operation({
  ...listing,
  name: 'ListMessagesOfConversation',
  path: '/conversations/:id/messages',
  tag: 'Conversations',
  summary: 'Messages',
  params: closed({ id: Id }),
});
