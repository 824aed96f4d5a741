import { ContactUpdated } from '@messaging-gateway/contracts';
import { publication, tells } from '@messaging-gateway/service';
import { contactStream } from './contact.ts';

/** Facts that are told of contacts. */
export const contactsTell = tells(contactStream, {
  ContactDeleted: ({ data: { contactId: id, profileId = null, mergedInto, phone, lid } }) => [
    publication(ContactUpdated, {
      id,
      change: 'deleted',
      profileId,
      ...(mergedInto !== undefined && { mergedInto }),
      ...(phone !== undefined && { phone }),
      ...(lid !== undefined && { lid }),
    }),
  ],
  ContactSaved: ({ data }) => {
    const { contactId: id, silent, profileId = null, phone = null, lid = null, previousPhone } = data;
    const change = previousPhone === undefined ? data.change : 'number';
    if (silent) return [];
    const { name = null, pushName = null, tags, metadata, blocked } = data;
    const person = { phone, lid, name, pushName, tags: [...tags], metadata: { ...metadata }, blocked };
    return [publication(ContactUpdated, { id, change, profileId, ...person, ...(previousPhone && { previousPhone }) })];
  },
});
