import { operation } from '../../contract.ts';
import { afterEvent, closed, Id, page, pageQuery } from '../../shapes.ts';
import { MessageRecord, MessageSearch, messageExample } from './shapes.ts';

export const ListProfileMessages = operation({
  name: 'ListProfileMessages',
  owner: 'inbox',
  method: 'GET',
  path: '/messages/profile/:profileId',
  access: 'message:read',
  tag: 'Messages',
  summary: 'List messages of a profile',
  means: 'Newest first, incoming and outgoing.',
  params: closed({ profileId: Id }),
  query: closed({ ...pageQuery, ...afterEvent, search: MessageSearch }),
  answers: {
    200: {
      body: page(MessageRecord),
      means: 'A page of messages.',
      example: { items: [messageExample], nextCursor: null },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
