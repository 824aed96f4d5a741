import { randomBytes } from 'node:crypto';
import { node, nowSeconds, SERVER } from '../connection/nodes.ts';
import { ADDRESS_BOOK } from '../people/address-book.ts';
import type { Person } from '../people/person.ts';
import { Refusal } from './refusal.ts';

/** The owner of a phone saves somebody under a name; linked clients hear that there is something new. */
export async function saveName(owner: Person, contact: Person, name: unknown): Promise<void> {
  if (typeof name !== 'string' || name === '') throw new Refusal('NAME_MISSING', 'Who is saved needs a name.');
  await owner.addressBook.save(contact, name);
  const attributes = { from: `@${SERVER}`, type: 'server_sync', id: randomBytes(6).toString('hex'), t: nowSeconds() };
  const collection = node('collection', { name: ADDRESS_BOOK, version: String(owner.addressBook.version) });
  for (const device of owner.devices.values()) device.deliver(node('notification', attributes, [collection]));
}
