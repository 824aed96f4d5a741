import { randomBytes } from 'node:crypto';
import { isJidGroup, type BinaryNode, type proto } from '@whiskeysockets/baileys';
import { bytesOf, child, fromBigEndian, node, nowSeconds } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Addressed, Envelope } from '../people/outbox.ts';
import type { Person } from '../people/person.ts';
import { sendReceipts } from '../receipts/from-people.ts';
import { readPreKey, readSignedPreKey, type KeyBundle } from '../signal/bundle.ts';
import type { Encrypted } from '../signal/sessions.ts';
import { compose, wrapped } from './composing.ts';
import { deviceSent, plaintextOf, textOf } from './content.ts';
import { envelopeType } from './envelope-type.ts';
import type { Content, Wrapping } from './kinds.ts';
import { shownContent, shownContext } from './showing.ts';

export type WritingOptions = Addressed & {
  /** Nodes that the stanza holds in place of the encrypted message. A repeat that the client requests holds the message. */
  instead?: BinaryNode[] | undefined;
  /** The message's id on the network; a new one by default. */
  id?: string | undefined;
  /** The wrapping of the message. */
  wrapping?: Wrapping | undefined;
  /** How often each stanza is delivered, as it is. */
  copies?: number | undefined;
  /** How often the same id arrives, encrypted anew each time. */
  times?: number | undefined;
  /** Spoils the first copy, so that the linked device has to ask for the message again. */
  unreadable?: boolean | undefined;
  /** Linked devices get it after the next message that the author writes to them, whatever the chat. */
  late?: boolean | undefined;
};

/** The owner of a simulated phone writes to somebody. @returns the message's id */
export async function write(
  network: Network,
  author: Person,
  recipient: Person,
  content: Content,
  options: WritingOptions = {},
): Promise<string> {
  const id = options.id ?? randomBytes(16).toString('hex').toUpperCase();
  const writtenTo = recipient.jid(author.behaviour.addressing);
  const message = wrapped(compose(network, { author, chatJid: writtenTo }, content), options.wrapping);
  const text = textOf(message);
  const { envelope, broadcast } = options;
  author.outbox.add({ id, to: recipient.phone, text }, message, { envelope, broadcast });
  author.memory.keep(id, { author, message });
  await author.inTurn(async () => {
    for (let time = 0; time < (options.times ?? 1); time += 1) {
      for (const device of recipient.devices.values()) await encryptAndDeliver(author, device, id, message, options);
      for (const device of author.devices.values()) await deliverOwn(author, device, recipient, id, message);
    }
  });
  recipient.memory.keep(id, { author, message });
  const shown = {
    id,
    from: author.phone,
    to: recipient.phone,
    text,
    content: shownContent(network, { reader: recipient, author }, message),
    ...shownContext(network, message),
    raw: message,
    at: new Date().toISOString(),
  };
  recipient.inbox.show(shown, writtenTo);
  // A phone with linked devices leaves receipts to them, so that the author learns whether they have the message.
  if (recipient.devices.size === 0) sendReceipts(recipient, author, [id], writtenTo);
  return id;
}

/** A linked device could not read a message of this author and gets it again, in a new session. */
export async function writeAgain(author: Person, device: LinkedDevice, receipt: BinaryNode): Promise<void> {
  const { id = '' } = receipt.attrs;
  const entry = author.outbox.get(id);
  if (entry === undefined) return;
  entry.fact.retries += 1;
  const count = child(receipt, 'retry')?.attrs['count'] ?? '1';
  const { content, unreadable, addressed } = entry;
  if (unreadable !== undefined)
    return deliver(author, device, id, { ...addressed, message: content, encrypted: unreadable, count });
  const { to } = receipt.attrs;
  const group = isJidGroup(to) === true ? to : undefined;
  await author.inTurn(async () => {
    await author.sessions.open(peerOf(device), bundleIn(receipt) ?? device.bundle());
    const message = group === undefined ? content : await withKey(author, group, content);
    await encryptAndDeliver(author, device, id, message, { ...addressed, count, group });
  });
}

/** Adds the author's sender key: who could not read a message in a group may lack it. */
async function withKey({ senderKeys }: Person, group: string, message: proto.IMessage): Promise<proto.IMessage> {
  return { ...message, senderKeyDistributionMessage: await senderKeys.distribution(group) };
}

async function encryptAndDeliver(
  author: Person,
  device: LinkedDevice,
  id: string,
  message: proto.IMessage,
  { unreadable, copies = 1, ...how }: WritingOptions & Repeat,
): Promise<void> {
  const encrypted = await encryptFor(author, device, message);
  if (unreadable === true) spoil(encrypted.ciphertext);
  for (let copy = 0; copy < copies; copy += 1) deliver(author, device, id, { ...how, message, encrypted });
}

type Repeat = { count?: string | undefined; group?: string | undefined };
type Delivery = Addressed &
  Repeat &
  Pick<WritingOptions, 'instead' | 'late'> & { message: proto.IMessage; encrypted: Encrypted };

/** Hands a linked device its encrypted copy of a message; `count` says which repeat it is. */
export function deliver(author: Person, device: LinkedDevice, id: string, delivery: Delivery): void {
  const { message, encrypted, count, group, late, broadcast, envelope, instead } = delivery;
  const from = group === undefined ? addressOf(author, id, broadcast) : groupEnvelope(author, id, group);
  const { mediatype, ...attributes } = { ...from, notify: author.pushName, ...envelopeType(message) };
  const content = instead ?? [encNode(encrypted, { count, mediatype })];
  device.deliverFrom(author, changedStanza(node('message', attributes, content), envelope), late);
}

/** The stanza with the changes of its attributes; without any, the stanza itself. */
export function changedStanza(stanza: BinaryNode, envelope: Envelope | undefined): BinaryNode {
  if (envelope === undefined) return stanza;
  const attributes = Object.entries({ ...stanza.attrs, ...envelope }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return { ...stanza, attrs: Object.fromEntries(attributes) };
}

async function deliverOwn(
  author: Person,
  device: LinkedDevice,
  recipient: Person,
  id: string,
  message: proto.IMessage,
): Promise<void> {
  const { addressing } = author.behaviour;
  const chat = recipient.jid(addressing);
  const encrypted = await encryptFor(author, device, deviceSent(chat, message));
  const alternative =
    addressing === 'lid' ? { peer_recipient_pn: recipient.jid('phone') } : { peer_recipient_lid: recipient.jid('lid') };
  const { mediatype, ...type } = envelopeType(message);
  const attributes = {
    id,
    ...type,
    t: nowSeconds(),
    from: author.jid(addressing),
    recipient: chat,
    ...alternative,
  };
  device.deliver(node('message', attributes, [encNode(encrypted, { mediatype })]));
}

/** Changes a byte that the message's authentication covers, whichever type it is. */
export function spoil(ciphertext: Buffer): void {
  const place = ciphertext.length - 20;
  ciphertext.writeUInt8(ciphertext.readUInt8(place) ^ 0xff, place);
}

export async function encryptFor(author: Person, device: LinkedDevice, message: proto.IMessage): Promise<Encrypted> {
  const peer = peerOf(device);
  if (!author.sessions.hasOpen(peer)) await author.sessions.open(peer, device.bundle());
  return author.sessions.encrypt(peer, plaintextOf(message));
}

type Encoding = { count?: string | undefined; mediatype?: string | undefined };

/** @param encoding which repeat it is, and what kind of file it is about */
export function encNode({ type, ciphertext }: Encrypted, { count, mediatype }: Encoding = {}): BinaryNode {
  return node('enc', { v: '2', type, count, mediatype }, ciphertext);
}

function addressOf(author: Person, id: string, broadcast: string | undefined): Record<string, string> {
  const attributes = { id, t: nowSeconds() };
  if (broadcast !== undefined) {
    const list = {
      ...attributes,
      from: `${broadcast}@broadcast`,
      participant: author.jid(author.behaviour.addressing),
    };
    return author.behaviour.addressing === 'lid'
      ? { ...list, addressing_mode: 'lid', participant_pn: author.jid('phone') }
      : { ...list, addressing_mode: 'pn', participant_lid: author.jid('lid') };
  }
  return author.behaviour.addressing === 'lid'
    ? { ...attributes, from: author.jid('lid'), addressing_mode: 'lid', sender_pn: author.jid('phone') }
    : { ...attributes, from: author.jid('phone'), addressing_mode: 'pn', sender_lid: author.jid('lid') };
}

/** Where a message in a group comes from: the group, and which member. */
export function groupEnvelope(author: Person, id: string, group: string): Record<string, string> {
  const [participant, number] = [author.jid('lid'), author.jid('phone')];
  return { id, t: nowSeconds(), from: group, participant, participant_pn: number, addressing_mode: 'lid' };
}

function peerOf(device: LinkedDevice) {
  return { lid: device.owner.lid, device: device.id };
}

function bundleIn(receipt: BinaryNode): KeyBundle | undefined {
  const keys = child(receipt, 'keys');
  const signedPreKey = readSignedPreKey(keys);
  if (keys === undefined || signedPreKey === undefined) return undefined;
  const preKey = child(keys, 'key');
  return {
    registrationId: fromBigEndian(bytesOf(receipt, 'registration')),
    identityKey: bytesOf(keys, 'identity'),
    signedPreKey,
    preKey: preKey === undefined ? undefined : readPreKey(preKey),
  };
}
