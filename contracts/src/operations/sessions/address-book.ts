import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

const inAddressBook = {
  owner: 'sessions',
  tag: 'Contacts',
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'ENGINE_UNSUPPORTED'],
} as const;

export const SaveToAddressBook = operation({
  ...inAddressBook,
  name: 'SaveToAddressBook',
  method: 'POST',
  path: '/contacts/profile/:profileId/save-to-messaging',
  access: 'contact:update',
  audit: { action: 'contact.save_to_address_book', resourceType: 'profile', carriedOut: true },
  summary: 'Save into the address book',
  means: "Saves a contact into the account's address book on the network (web-js-engine only).",
  params: closed({ profileId: Id }),
  body: closed({
    phone: Type.String({ minLength: 1, maxLength: 40, format: 'phone' }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  }),
  answers: { 200: { body: closed({ phone: Type.String() }), means: 'It was saved.' } },
  example: { phone: '4915112345678', name: 'Ada' },
});

export const DeleteFromAddressBook = operation({
  ...inAddressBook,
  name: 'DeleteFromAddressBook',
  method: 'DELETE',
  path: '/contacts/profile/:profileId/messaging/:phone',
  access: 'contact:delete',
  audit: {
    action: 'contact.delete_from_address_book',
    resourceType: 'profile',
    resourceParameter: 'profileId',
    carriedOut: true,
  },
  summary: 'Delete from the address book',
  means: "Deletes a contact from the account's address book on the network (web-js-engine only).",
  params: closed({ profileId: Id, phone: Type.String({ minLength: 1, maxLength: 64 }) }),
  answers: { 204: { means: 'It is gone.' } },
});
