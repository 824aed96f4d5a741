import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, closed } from '../../../shapes.ts';
import { Contact, contactFields } from './shapes.ts';

export const CreateContact = operation({
  name: 'CreateContact',
  owner: 'inbox',
  method: 'POST',
  path: '/contacts',
  access: 'contact:create',
  tag: 'Contacts',
  summary: 'Create',
  means:
    'Makes a contact of a profile, or of the whole organization without `profileId`. The one that has this phone already is ' +
    'changed instead: fields given replace, tags are added.',
  body: closed({ profileId: Type.Optional(Id), ...contactFields }),
  answers: {
    201: { body: Contact, means: 'The contact was made.' },
    200: { body: Contact, means: 'It was there, and was changed.' },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'QUOTA_REACHED'],
  example: { phone: '+49 151 12345678', name: 'Ada', tags: ['customer'], metadata: { city: 'Berlin' } },
});
