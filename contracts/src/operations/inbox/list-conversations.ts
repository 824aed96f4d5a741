import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, afterEvent, closed, oneOf, page, pageQuery } from '../../shapes.ts';
import { Conversation, conversationExample } from './shapes.ts';

export const ListConversations = operation({
  name: 'ListConversations',
  owner: 'inbox',
  method: 'GET',
  path: '/conversations',
  access: 'message:read',
  tag: 'Conversations',
  summary: 'List',
  means:
    'Conversations of the organization: pinned ones first, then the one with the newest message. One of which every message has failed is left out.',
  query: closed({
    ...pageQuery,
    ...afterEvent,
    profileId: Type.Optional(Id),
    type: Type.Optional(oneOf(['user', 'group'])),
    archived: Type.Optional(Type.Boolean()),
    unread: Type.Optional(Type.Boolean({ description: 'true: only with unread messages; false: only without' })),
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name or of the number' }),
    ),
  }),
  answers: {
    200: {
      body: page(Conversation),
      means: 'A page of conversations.',
      example: { items: [conversationExample], nextCursor: null, total: 1 },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});
