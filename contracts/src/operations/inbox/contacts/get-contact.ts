import { operation } from '../../../contract.ts';
import { afterEvent, closed } from '../../../shapes.ts';
import { Contact, contactParams } from './shapes.ts';

export const GetContact = operation({
  name: 'GetContact',
  owner: 'inbox',
  method: 'GET',
  path: '/contacts/:id',
  access: 'contact:read',
  tag: 'Contacts',
  summary: 'Get',
  means: 'A contact.',
  params: contactParams,
  query: closed(afterEvent),
  answers: { 200: { body: Contact, means: 'The contact.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
