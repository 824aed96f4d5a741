import type { BinaryNode } from '@whiskeysockets/baileys';
import { child, children, node } from '../connection/nodes.ts';
import { ADDRESS_BOOK } from '../people/address-book.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Query } from './answer.ts';

const ANSWER_NOTED_MS = 1000;
/** Changes in one answer. */
const MOST_CHANGES = 100;

/** Answers with the changes of the account: its address book; other collections are empty, at the version of the client. */
export const appState: Query = (network, device, question) => {
  network.statistics.network.appStateQueries += 1;
  if (!network.settings.answerAppState) return undefined;
  synchronizedSoon(device);
  const asked = children(child(question, 'sync'), 'collection');
  return [
    node(
      'sync',
      {},
      asked.map((one) => (one.attrs['name'] === ADDRESS_BOOK ? names(device, one) : empty(one))),
    ),
  ];
};

/** A client that is gone a moment later may not have noted the answer, and has to be led to this point again. */
function synchronizedSoon(device: LinkedDevice): void {
  const { connection } = device;
  const note = () => (device.synchronized ||= connection !== undefined && device.connection === connection);
  setTimeout(note, ANSWER_NOTED_MS).unref();
}

function empty(asked: BinaryNode): BinaryNode {
  const { name, version = '0' } = asked.attrs;
  return node('collection', { name, version, type: 'result' }, [node('patches')]);
}

function names({ owner: { addressBook } }: LinkedDevice, asked: BinaryNode): BinaryNode {
  const { name, version = '0' } = asked.attrs;
  const from = Number(version);
  const changes = addressBook.since(from, MOST_CHANGES);
  const isMore = from + changes.length < addressBook.version;
  const attributes = { name, version, type: 'result', has_more_patches: isMore ? 'true' : undefined };
  return node('collection', attributes, [
    node(
      'patches',
      {},
      changes.map((bytes) => node('patch', {}, bytes)),
    ),
  ]);
}
