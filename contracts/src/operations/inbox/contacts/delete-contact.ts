import { operation } from '../../../contract.ts';
import { contactParams } from './shapes.ts';

export const DeleteContact = operation({
  name: 'DeleteContact',
  owner: 'inbox',
  method: 'DELETE',
  path: '/contacts/:id',
  access: 'contact:delete',
  tag: 'Contacts',
  summary: 'Delete',
  means: 'The contact is forgotten; conversations and messages stay. The next message of the person makes it again.',
  params: contactParams,
  answers: { 204: { means: 'The contact is gone.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
