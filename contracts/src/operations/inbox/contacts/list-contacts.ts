import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, afterEvent, closed, page, pageQuery } from '../../../shapes.ts';
import { Contact } from './shapes.ts';

export const ListContacts = operation({
  name: 'ListContacts',
  owner: 'inbox',
  method: 'GET',
  path: '/contacts',
  access: 'contact:read',
  tag: 'Contacts',
  summary: 'List',
  means: 'Contacts, the newest first. An API key limited to some profiles sees the contacts of these.',
  query: closed({
    ...pageQuery,
    ...afterEvent,
    profileId: Type.Optional(Id),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of a name or of the phone' })),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        maxItems: 20,
        description: 'Those that have all of these tags; repeated or separated by commas',
      }),
    ),
  }),
  answers: { 200: { body: page(Contact), means: 'A page of contacts.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});
