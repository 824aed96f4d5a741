import type { BinaryNode } from '@whiskeysockets/baileys';
import { contentBytes } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import { askAgain, sendReceipts } from '../receipts/from-people.ts';
import type { Encrypted } from '../signal/sessions.ts';
import { isForPeople, messageFrom, textOf } from './content.ts';

/** A simulated phone gets its copy of a message from a linked device: reads it, shows it, confirms it. */
export async function receive(network: Network, recipient: Person, sender: LinkedDevice, stanza: BinaryNode, encrypted: BinaryNode): Promise<void> {
  const isOwnCopy = recipient === sender.owner;
  if (!isOwnCopy && recipient.behaviour.askRetry > 0) {
    recipient.behaviour.askRetry -= 1;
    return askAgain(network, recipient, sender, stanza);
  }
  const message = await read(recipient, sender, encrypted);
  if (message === undefined) return askAgain(network, recipient, sender, stanza);
  if (!isForPeople(message)) return;
  const { id = '', to } = stanza.attrs;
  const at = new Date().toISOString();
  const chat = network.directory.find(to)?.phone ?? '';
  const shown = { id, from: sender.owner.phone, to: chat, text: textOf(message), at };
  const isFirst = recipient.inbox.show(shown, to ?? '');
  if (isOwnCopy) return;
  if (isFirst) network.statistics.count('shown', recipient.phone);
  sendReceipts(recipient, sender.owner, [id], to ?? '');
}

async function read(recipient: Person, sender: LinkedDevice, encrypted: BinaryNode) {
  const type: Encrypted['type'] = encrypted.attrs['type'] === 'pkmsg' ? 'pkmsg' : 'msg';
  const peer = { lid: sender.owner.lid, device: sender.id };
  try {
    return messageFrom(await recipient.sessions.decrypt(peer, { type, ciphertext: contentBytes(encrypted) }));
  } catch {
    return undefined;
  }
}
