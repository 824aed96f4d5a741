import { operation } from '../../../contract.ts';
import { Count, Id, closed } from '../../../shapes.ts';

export const SyncContacts = operation({
  name: 'SyncContacts',
  owner: 'inbox',
  method: 'POST',
  path: '/contacts/sync/messaging',
  access: 'contact:update',
  audit: { action: 'contact.sync', resourceParameter: null },
  tag: 'Contacts',
  summary: 'Sync contacts from the network',
  means:
    "Takes the phone's address book and the names that people go by on the network into the contacts of the profile. A name that " +
    'was given to a contact here stays; one that came from the phone follows it. Tags and metadata stay, nothing is deleted.',
  body: closed({ profileId: Id }),
  answers: {
    200: {
      body: closed({
        created: { ...Count, description: 'Contacts that are new' },
        updated: { ...Count, description: 'Contacts of whom something new was learnt' },
        total: { ...Count, description: 'People of whom the network told' },
      }),
      means: 'What was learnt.',
      example: { created: 12, updated: 3, total: 40 },
    },
  },
  example: { profileId: '0198c0de-0000-7000-8000-000000000001' },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'PROFILE_NOT_CONNECTED', 'ENGINE_TIMEOUT'],
  timeoutMs: 60_000,
});
