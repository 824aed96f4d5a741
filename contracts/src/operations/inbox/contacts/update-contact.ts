import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { closed, nullable } from '../../../shapes.ts';
import { Blocked, Contact, ContactMetadata, ContactName, Tags, contactParams } from './shapes.ts';

export const UpdateContact = operation({
  name: 'UpdateContact',
  owner: 'inbox',
  method: 'PUT',
  path: '/contacts/:id',
  access: 'contact:update',
  tag: 'Contacts',
  summary: 'Update',
  means: 'Changes the fields given; tags and metadata are replaced as a whole.',
  params: contactParams,
  body: closed({
    name: Type.Optional(nullable(ContactName)),
    tags: Type.Optional(Tags),
    metadata: Type.Optional(ContactMetadata),
    blocked: Type.Optional(Blocked),
  }),
  answers: { 200: { body: Contact, means: 'The contact.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  example: { name: 'Ada Lovelace', tags: ['customer', 'vip'] },
});
