import { randomBytes } from 'node:crypto';
import { isJidGroup } from '@whiskeysockets/baileys';
import { node, nowSeconds, SERVER } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import type { ChatMark } from '../people/account-state.ts';
import type { Person } from '../people/person.ts';
import { personOf } from './people.ts';
import { Refusal } from './refusal.ts';

/** The owner of a phone saves somebody under a name; linked clients learn that there is something new. */
export async function saveName(owner: Person, contact: Person, name: unknown): Promise<void> {
  if (typeof name !== 'string' || name === '') throw new Refusal('NAME_MISSING', 'Who is saved needs a name.');
  announce(owner, await owner.accountState.save(contact, name));
}

/** The owner of a phone marks the chat with somebody, or a group. */
export async function markChat(network: Network, owner: Person, chat: string, mark: ChatMark): Promise<void> {
  const fits = Object.entries(mark).some(([name, value]) =>
    name === 'mutedUntil'
      ? typeof value === 'number'
      : ['read', 'archived', 'pinned'].includes(name) && typeof value === 'boolean',
  );
  if (!fits)
    throw new Refusal('MARK_UNKNOWN', 'One of: read, archived, pinned (true or false), mutedUntil (milliseconds).');
  const jid = isJidGroup(chat) === true ? chat : personOf(network, chat).jid('lid');
  announce(owner, await owner.accountState.mark(jid, mark));
}

function announce(owner: Person, collection: string): void {
  const attributes = { from: `@${SERVER}`, type: 'server_sync', id: randomBytes(6).toString('hex'), t: nowSeconds() };
  const changed = node('collection', { name: collection, version: String(owner.accountState.version(collection)) });
  for (const device of owner.devices.values()) device.deliver(node('notification', attributes, [changed]));
}
