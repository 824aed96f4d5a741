import { randomBytes } from 'node:crypto';
import type { BinaryNode, proto } from '@whiskeysockets/baileys';
import { node } from '../connection/nodes.ts';
import { Refusal } from '../control/refusal.ts';
import type { Group } from '../groups/group.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import { sendReceipts } from '../receipts/from-people.ts';
import { SenderKeys } from '../signal/sender-keys.ts';
import { compose, wrapped } from './composing.ts';
import { plaintextOf, textOf } from './content.ts';
import { envelopeType } from './envelope-type.ts';
import type { Content } from './kinds.ts';
import { shownContent, shownContext } from './showing.ts';
import { changedStanza, encNode, encryptFor, groupEnvelope, type WritingOptions } from './writing.ts';

/**
 * The owner of a simulated phone writes into a group.
 *
 * @returns the message's id
 * @throws Refusal when the author is no member
 */
export async function writeToGroup(
  network: Network,
  author: Person,
  group: Group,
  content: Content,
  options: WritingOptions = {},
): Promise<string> {
  if (!group.members.has(author)) throw new Refusal('NOT_A_MEMBER', 'Only members can write into a group.');
  const id = options.id ?? randomBytes(16).toString('hex').toUpperCase();
  const message = wrapped(compose(network, { author, chatJid: group.id }, content), options.wrapping);
  author.outbox.add({ id, to: group.id, text: textOf(message) }, message, { envelope: options.envelope });
  for (const member of group.members.keys()) member.memory.keep(id, { author, message });
  await author.inTurn(async () => {
    for (let time = 0; time < (options.times ?? 1); time += 1) await deliver(author, group, id, message, options);
  });
  show(network, { author, group, id, message });
  return id;
}

async function deliver(
  author: Person,
  group: Group,
  id: string,
  message: proto.IMessage,
  { unreadable, late, envelope, instead, copies = 1 }: WritingOptions,
): Promise<void> {
  const devices = [...group.members.keys()].flatMap((member) => [...member.devices.values()]);
  const told = new Map<LinkedDevice, BinaryNode>();
  // The key is told as it is before the message: it can't be turned back.
  for (const device of instead === undefined ? devices : []) {
    if (author.senderKeys.tellOnce(group.id, device.jid)) told.set(device, await keyFor(author, group, device));
  }
  // What is to be unreadable has a key that nobody was told.
  const keys = unreadable === true ? new SenderKeys(author.lid) : author.senderKeys;
  const ciphertext = await keys.encrypt(group.id, plaintextOf(message));
  const { mediatype, ...type } = envelopeType(message);
  const attributes = { ...groupEnvelope(author, id, group.id), notify: author.pushName, ...type };
  const shared = node('enc', { v: '2', type: 'skmsg', mediatype }, ciphertext);
  for (const device of devices) {
    const key = told.get(device);
    const content = instead ?? (key === undefined ? [shared] : [key, shared]);
    const stanza = changedStanza(node('message', attributes, content), envelope);
    for (let copy = 0; copy < copies; copy += 1) device.deliverFrom(author, stanza, late);
  }
}

async function keyFor(author: Person, group: Group, device: LinkedDevice): Promise<BinaryNode> {
  const senderKeyDistributionMessage = await author.senderKeys.distribution(group.id);
  return encNode(await encryptFor(author, device, { senderKeyDistributionMessage }));
}

type Written = { author: Person; group: Group; id: string; message: proto.IMessage };

/** Phones without linked devices confirm at once; the others leave it to their devices. */
function show(network: Network, { author, group, id, message }: Written): void {
  for (const reader of group.members.keys()) {
    const shown = {
      id,
      from: author.phone,
      to: group.id,
      text: textOf(message),
      content: shownContent(network, { reader, author }, message),
      ...shownContext(network, message),
      raw: message,
      at: new Date().toISOString(),
    };
    if (reader === author) continue;
    reader.inbox.show(shown, group.id);
    if (reader.devices.size === 0) sendReceipts(reader, author, [id], group.id);
  }
}
