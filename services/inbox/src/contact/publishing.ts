import { ContactUpdated } from '@messaging-gateway/contracts';
import { publication, type Publication } from '@messaging-gateway/service';
import type { ContactEvent } from './contact.ts';

/** Facts that are told of contacts. */
export function toldOfContact(event: ContactEvent): readonly Publication[] {
  if (event.type === 'ContactDeleted') {
    const { contactId: id, profileId = null } = event.data;
    return [publication(ContactUpdated, { id, change: 'deleted', profileId })];
  }
  const { contactId: id, change, silent, profileId = null, phone = null, lid = null } = event.data;
  if (silent) return [];
  const { name = null, pushName = null, tags, metadata, blocked } = event.data;
  const person = { phone, lid, name, pushName, tags: [...tags], metadata: { ...metadata }, blocked };
  return [publication(ContactUpdated, { id, change, profileId, ...person })];
}
