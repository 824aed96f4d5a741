import { operation } from '../../../contract.ts';
import { closed } from '../../../shapes.ts';
import { Contact, Tags, contactParams } from './shapes.ts';

const tagging = {
  owner: 'inbox',
  path: '/contacts/:id/tags',
  access: 'contact:update',
  tag: 'Contacts',
  params: contactParams,
  body: closed({ tags: Tags }),
  answers: { 200: { body: Contact, means: 'The contact.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  example: { tags: ['vip'] },
} as const;

export const AddContactTags = operation({
  ...tagging,
  name: 'AddContactTags',
  method: 'POST',
  audit: 'contact.add_tags',
  summary: 'Add tags',
  means: 'Adds tags to a contact; those that it has stay once.',
});

export const RemoveContactTags = operation({
  ...tagging,
  name: 'RemoveContactTags',
  method: 'DELETE',
  audit: 'contact.remove_tags',
  summary: 'Remove tags',
  means: 'Takes tags off a contact; those that it does not have are passed over.',
});
