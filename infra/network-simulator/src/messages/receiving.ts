import type { BinaryNode, proto } from '@whiskeysockets/baileys';
import { contentBytes } from '../connection/nodes.ts';
import type { Group } from '../groups/group.ts';
import { takeRequest } from '../history/asking.ts';
import type { Network } from '../network.ts';
import type { ShownMessage } from '../people/inbox.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import { askAgain, sendReceipts } from '../receipts/from-people.ts';
import type { Encrypted } from '../signal/sessions.ts';
import { isForPeople, messageFrom, textOf } from './content.ts';
import { shownContent, shownContext } from './showing.ts';

type Read = Omit<ShownMessage, 'id' | 'from' | 'to' | 'at' | 'attributes'>;

const UNREAD: Read = { text: '', content: { type: 'unread' }, mentions: [] };

/** One simulated phone's copy of a message from a linked device. */
export type Copy = {
  recipient: Person;
  sender: LinkedDevice;
  stanza: BinaryNode;
  encrypted: BinaryNode;
  /** The group that it was written into. */
  group?: Group;
  /** The sender's key in that group, encrypted for this recipient. */
  key?: BinaryNode | undefined;
};

/** A simulated phone gets its copy of a message: reads it, shows it, confirms it. */
export async function receive(network: Network, copy: Copy): Promise<void> {
  const { recipient, sender, stanza } = copy;
  if (recipient !== sender.owner && recipient.behaviour.askRetry > 0) {
    recipient.behaviour.askRetry -= 1;
    return askAgain(network, recipient, sender, stanza);
  }
  const isRequest = stanza.attrs['category'] === 'peer';
  if (network.settings.decrypt === 'lazy' && !isRequest) return receiveUnread(network, copy);
  await recipient.reading.finish(); // what came while reading was put off comes first
  const message = await read(copy);
  if (message === undefined) return askAgain(network, recipient, sender, stanza);
  if (isRequest) return takeRequest(network, sender, stanza.attrs['id'] ?? '', message);
  if (isForPeople(message)) show(network, copy, message);
}

/** Shows and confirms the message, and leaves it encrypted until somebody looks. */
function receiveUnread(network: Network, copy: Copy): void {
  const { recipient, sender, stanza } = copy;
  const shown = show(network, copy, undefined);
  recipient.reading.putOff(async () => {
    const message = await read(copy);
    if (message !== undefined && shown !== undefined) Object.assign(shown, reading(network, copy, message));
    if (message !== undefined) return;
    if (shown !== undefined) recipient.inbox.hide(shown);
    askAgain(network, recipient, sender, stanza);
  });
}

/** @returns what is shown now; undefined when it was shown before */
function show(network: Network, copy: Copy, message: proto.IMessage | undefined) {
  const { recipient, sender, stanza } = copy;
  const { id = '', to = '' } = stanza.attrs;
  const chat = copy.group?.id ?? network.directory.find(to)?.phone ?? '';
  const shown: ShownMessage = {
    id,
    from: sender.owner.phone,
    to: chat,
    at: new Date().toISOString(),
    attributes: stanza.attrs,
    ...(message === undefined ? UNREAD : reading(network, copy, message)),
  };
  const isFirst = recipient.inbox.show(shown, to);
  if (recipient !== sender.owner) {
    if (isFirst) network.statistics.count('shown', recipient.phone);
    sendReceipts(recipient, sender.owner, [id], to);
  }
  return isFirst ? shown : undefined;
}

/** Reads a decrypted message; the phone keeps it to look at again. */
function reading(network: Network, { recipient, sender, stanza }: Copy, message: proto.IMessage): Read {
  const author = sender.owner;
  recipient.memory.keep(stanza.attrs['id'] ?? '', { author, message });
  const content = shownContent(network, { reader: recipient, author }, message);
  return { text: textOf(message), content, raw: message, ...shownContext(network, message) };
}

/** @returns undefined when no session opens the message */
async function read(copy: Copy): Promise<proto.IMessage | undefined> {
  const { recipient, group } = copy;
  try {
    if (group === undefined) return await decrypted(copy, copy.encrypted);
    return await recipient.senderKeys.inOrder(() => readInGroup(copy, group));
  } catch {
    return undefined;
  }
}

/** Decrypts a member's copy: encrypted for all, or after a request to have it again for this one alone. */
async function readInGroup(copy: Copy, group: Group): Promise<proto.IMessage> {
  const { recipient, sender, encrypted, key } = copy;
  if (key !== undefined) await decrypted(copy, key);
  if (encrypted.attrs['type'] !== 'skmsg') return decrypted(copy, encrypted);
  const author = { lid: sender.owner.lid, device: sender.id };
  return messageFrom(await recipient.senderKeys.decrypt(group.id, author, contentBytes(encrypted)));
}

async function decrypted({ recipient, sender }: Copy, encrypted: BinaryNode): Promise<proto.IMessage> {
  const type: Encrypted['type'] = encrypted.attrs['type'] === 'pkmsg' ? 'pkmsg' : 'msg';
  const peer = { lid: sender.owner.lid, device: sender.id };
  const message = messageFrom(await recipient.sessions.decrypt(peer, { type, ciphertext: contentBytes(encrypted) }));
  const distribution = message.senderKeyDistributionMessage;
  if (distribution) await recipient.senderKeys.learn(peer, distribution);
  return message;
}
