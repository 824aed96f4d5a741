import type { DataOf, EventEnvelope, SessionNumberChanged } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import type { ServiceTools } from '@messaging-gateway/service';
import type { AddressBook } from '../chat/address-book.ts';
import { causedBy } from '../fact.ts';
import { findContactSlot, type ContactPlace, type ContactSlot } from './contact-id.ts';
import { contactStream } from './contact.ts';

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'store'>;

interface NumberChange {
  /** Digits. */
  readonly previousPhone: string;
  /** Digits. */
  readonly phone: string;
  readonly lid?: string | undefined;
}

/** Takes the network's announcement that a person has another number. */
export async function noteNumberChange(
  tools: Tools & { readonly addressBook: AddressBook },
  { profileId, previousPhone, phone, lid }: DataOf<typeof SessionNumberChanged>,
  event: EventEnvelope,
): Promise<void> {
  const metadata = causedBy(event, profileId);
  await tools.addressBook.renumber(profileId, { previousPhone, phone }, metadata);
  await moveContacts(
    tools,
    { organizationId: event.organizationId, profileId },
    { previousPhone, phone, lid },
    metadata,
  );
}

/**
 * Moves the contacts of a person to another number: the profile's own, and the one of the whole organization. A contact that is
 * kept under the new number becomes part of the one that moves; if it is known to be another person's, it loses the number.
 */
export async function moveContacts(
  tools: Tools,
  place: ContactPlace,
  change: NumberChange,
  metadata: EventMetadata,
): Promise<void> {
  for (const owner of [place, { organizationId: place.organizationId }]) {
    const found = await findContactSlot(tools.sql, owner, { phone: change.previousPhone });
    const { state } = await tools.store.load(contactStream, found.contactId);
    const { known } = state;
    const isTheirs = known?.phone === change.previousPhone && (known.lid ?? change.lid) === (change.lid ?? known.lid);
    if (isTheirs)
      await moveContact(tools, { ...found, ...(await atNumber(tools, owner, change.phone)) }, change, metadata);
  }
}

async function atNumber(
  { store, sql }: Tools,
  place: ContactPlace,
  phone: string,
): Promise<Pick<ContactSlot, 'other'>> {
  const { contactId } = await findContactSlot(sql, place, { phone });
  const { known } = (await store.load(contactStream, contactId)).state;
  return known === undefined ? {} : { other: { contactId, lid: known.lid } };
}

/** Moves one contact to another number. */
export async function moveContact(
  { store }: Pick<Tools, 'store'>,
  { contactId, other }: ContactSlot,
  { phone, lid }: Pick<NumberChange, 'phone' | 'lid'>,
  metadata: EventMetadata,
): Promise<void> {
  const command = { type: 'Move', contactId, phone, lid } as const;
  if (other === undefined) {
    await store.handle(contactStream, contactId, command, { metadata });
    return;
  }
  const isAnother = other.lid !== undefined && lid !== undefined && other.lid !== lid;
  if (isAnother) {
    await store.handle(contactStream, other.contactId, { type: 'Move', contactId: other.contactId }, { metadata });
    await store.handle(contactStream, contactId, command, { metadata });
    return;
  }
  const { known: before } = (await store.load(contactStream, other.contactId)).state;
  await store.handle(contactStream, contactId, { ...command, before }, { metadata });
  const gone = { type: 'Delete', contactId: other.contactId, into: contactId } as const;
  await store.handle(contactStream, other.contactId, gone, { metadata });
}
