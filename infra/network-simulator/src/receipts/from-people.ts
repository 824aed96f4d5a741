import type { BinaryNode } from '@whiskeysockets/baileys';
import { bigEndian, node, nowSeconds } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import { retryKeysNode } from '../signal/bundle.ts';
import { readerAddress } from './reader-address.ts';

const RETRIES = 5;

/** `played` is for voice notes. */
export type ReceiptType = 'delivered' | 'read' | 'played';

/** The receipts that somebody sends of their own accord for messages just shown. */
export function sendReceipts(reader: Person, author: Person, ids: string[], writtenTo: string): void {
  const { receipts } = reader.behaviour;
  if (receipts !== 'none') sendReceipt(reader, author, ids, 'delivered', writtenTo);
  if (receipts === 'read') sendReceipt(reader, author, ids, 'read', writtenTo);
}

/** @param writtenTo the address that the messages were written to: the receipt comes from the same */
export function sendReceipt(reader: Person, author: Person, ids: string[], type: ReceiptType, writtenTo: string): void {
  const [id, ...more] = ids;
  if (id === undefined) return;
  author.outbox.markReceived(id, type);
  for (const other of more) author.outbox.markReceived(other, type);
  const attributes = {
    id,
    ...readerAddress(reader, writtenTo),
    type: type === 'delivered' ? undefined : type,
    t: nowSeconds(),
  };
  const content =
    more.length === 0
      ? undefined
      : [
          node(
            'list',
            {},
            more.map((other) => node('item', { id: other })),
          ),
        ];
  for (const device of author.devices.values()) device.deliver(node('receipt', attributes, content));
}

/** Asks for a message again that the reader can't read; from the second time on with new keys. */
export function askAgain(network: Network, reader: Person, sender: LinkedDevice, stanza: BinaryNode): void {
  const { id = '', to, t } = stanza.attrs;
  const count = reader.countRetry(`${sender.owner.lid} ${id}`);
  if (count > RETRIES) return;
  network.statistics.count('retriesAsked', reader.phone);
  const wanted = sender.owner.retriesWanted.get(id) ?? new Set();
  sender.owner.retriesWanted.set(id, wanted.add(`${reader.lid}:0`));
  const attributes = {
    id,
    type: 'retry',
    ...readerAddress(reader, to),
    recipient: reader === sender.owner ? to : undefined,
    t: nowSeconds(),
  };
  sender.deliver(
    node('receipt', attributes, [
      node('retry', { count: String(count), id, t: t ?? nowSeconds(), v: '1' }),
      node('registration', {}, bigEndian(reader.keys.registrationId, 4)),
      ...(count > 1 ? [retryKeysNode(reader.keys.bundle())] : []),
    ]),
  );
}
