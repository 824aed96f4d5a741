import { isJidGroup, type BinaryNode } from '@whiskeysockets/baileys';
import { child, children, node, nowSeconds, SERVER } from '../connection/nodes.ts';
import { reupload } from '../media/reupload.ts';
import { breaksAt } from '../messages/drop-moment.ts';
import { writeAgain } from '../messages/writing.ts';
import type { Network } from '../network.ts';
import { parseJid } from '../people/jid.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import { readerAddress } from './reader-address.ts';

/** Meanings of the types of receipts to the author; others are for the account's own phone. */
const MEANINGS: Record<string, 'delivered' | 'read'> = { delivered: 'delivered', inactive: 'delivered', read: 'read' };

/** The types by which a client says that it has a message that people see. */
const CONFIRMING = new Set([undefined, 'inactive', 'sender']);

/** Takes a receipt from a linked device: what it confirms is delivered, and the author is told. */
export function takeReceipt(network: Network, reader: LinkedDevice, receipt: BinaryNode): void | Promise<void> {
  const { id = '', to, type } = receipt.attrs;
  if (CONFIRMING.has(type) && breaksAt(network, reader, 'before-receipt')) return;
  reader.connection?.send(node('ack', { class: 'receipt', id, type, from: to ?? SERVER }));
  if (type === 'server-error') return reupload(network, reader, receipt);
  const peer = receipt.attrs['participant'] ?? to;
  const author = network.directory.find(peer);
  const ids = [id, ...children(child(receipt, 'list'), 'item').map((item) => item.attrs['id'] ?? '')];
  if (type === 'retry') return takeRetry(network, reader, receipt, author);
  const meaning = MEANINGS[type ?? 'delivered'];
  const confirmed = meaning === 'read' ? [] : ids.filter((one) => reader.mailbox.confirm('message', one, peer));
  if (author === undefined || author === reader.owner || meaning === undefined) return;
  if (confirmed.length > 0) network.statistics.count('received', author.phone, confirmed.length);
  tell(author, reader, ids, meaning, receipt);
}

function tell(
  author: Person,
  reader: LinkedDevice,
  ids: string[],
  meaning: 'delivered' | 'read',
  receipt: BinaryNode,
): void {
  for (const id of ids) author.outbox.markReceived(id, meaning);
  if (author.devices.size === 0) return;
  const attributes = {
    id: ids[0],
    ...readerAddress(reader.owner, receipt.attrs['to']),
    type: meaning === 'read' ? 'read' : undefined,
    t: nowSeconds(),
  };
  for (const device of author.devices.values()) device.deliver(node('receipt', attributes, receipt.content));
}

/** The device can't read a message. A simulated phone encrypts it anew; another client is asked to. */
function takeRetry(
  network: Network,
  reader: LinkedDevice,
  receipt: BinaryNode,
  author: Person | undefined,
): void | Promise<void> {
  const { id = '', to, participant = to } = receipt.attrs;
  if (author === undefined || !reader.mailbox.confirm('message', id, participant)) return;
  reader.unreadable.set(id, (reader.unreadable.get(id) ?? 0) + 1);
  const authorDevice = parseJid(participant)?.device ?? 0;
  if (authorDevice === 0) {
    network.statistics.count('retriesAnswered', author.phone);
    return writeAgain(author, reader, receipt);
  }
  const wanted = author.retriesWanted.get(id) ?? new Set();
  author.retriesWanted.set(id, wanted.add(`${reader.owner.lid}:${reader.id}`));
  const from = parseJid(participant)?.addressing === 'lid' ? reader.lidJid : reader.jid;
  const address = isJidGroup(to) === true ? { from: to, participant: from } : { from };
  const forwarded = node('receipt', { id, type: 'retry', ...address, t: nowSeconds() }, receipt.content);
  author.devices.get(authorDevice)?.deliver(forwarded);
}
