import { operation } from '../../contract.ts';
import { Count, closed } from '../../shapes.ts';

export const GetUnreadCount = operation({
  name: 'GetUnreadCount',
  owner: 'inbox',
  method: 'GET',
  path: '/conversations/unread-count',
  access: 'message:read',
  tag: 'Conversations',
  summary: 'Total unread count across the organization',
  means: 'How many incoming messages are unread, in all conversations that the credential may see.',
  answers: { 200: { body: closed({ count: Count }), means: 'The count.', example: { count: 3 } } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});
