import type { BinaryNode, proto } from '@whiskeysockets/baileys';
import { contentBytes } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import { askAgain, sendReceipts } from '../receipts/from-people.ts';
import type { Encrypted } from '../signal/sessions.ts';
import { isForPeople, messageFrom, textOf } from './content.ts';

/** One simulated phone's copy of a message from a linked device. */
export type Copy = { recipient: Person; sender: LinkedDevice; stanza: BinaryNode; encrypted: BinaryNode };

/** A simulated phone gets its copy of a message: reads it, shows it, confirms it. */
export async function receive(network: Network, copy: Copy): Promise<void> {
  const { recipient, sender, stanza } = copy;
  if (recipient !== sender.owner && recipient.behaviour.askRetry > 0) {
    recipient.behaviour.askRetry -= 1;
    return askAgain(network, recipient, sender, stanza);
  }
  if (network.settings.decrypt === 'lazy') return receiveUnread(network, copy);
  await recipient.reading.finish(); // what came while reading was put off comes first
  const message = await read(copy);
  if (message === undefined) return askAgain(network, recipient, sender, stanza);
  if (isForPeople(message)) show(network, copy, textOf(message));
}

/** Shows and confirms the message, and leaves it encrypted until somebody looks. */
function receiveUnread(network: Network, copy: Copy): void {
  const { recipient, sender, stanza } = copy;
  const shown = stanza.attrs['category'] === 'peer' ? undefined : show(network, copy, '');
  recipient.reading.putOff(async () => {
    const message = await read(copy);
    if (message !== undefined && shown !== undefined) shown.text = textOf(message);
    if (message !== undefined) return;
    if (shown !== undefined) recipient.inbox.hide(shown);
    askAgain(network, recipient, sender, stanza);
  });
}

/** @returns what is shown now; undefined when it was shown before */
function show(network: Network, { recipient, sender, stanza }: Copy, text: string) {
  const { id = '', to = '' } = stanza.attrs;
  const chat = network.directory.find(to)?.phone ?? '';
  const message = { id, from: sender.owner.phone, to: chat, text, at: new Date().toISOString() };
  const isFirst = recipient.inbox.show(message, to);
  if (recipient !== sender.owner) {
    if (isFirst) network.statistics.count('shown', recipient.phone);
    sendReceipts(recipient, sender.owner, [id], to);
  }
  return isFirst ? message : undefined;
}

/** @returns undefined when no session opens the message */
async function read({ recipient, sender, encrypted }: Copy): Promise<proto.IMessage | undefined> {
  const type: Encrypted['type'] = encrypted.attrs['type'] === 'pkmsg' ? 'pkmsg' : 'msg';
  const peer = { lid: sender.owner.lid, device: sender.id };
  try {
    return messageFrom(await recipient.sessions.decrypt(peer, { type, ciphertext: contentBytes(encrypted) }));
  } catch {
    return undefined;
  }
}
