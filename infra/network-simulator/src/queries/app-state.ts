import type { BinaryNode } from '@whiskeysockets/baileys';
import { child, children, node } from '../connection/nodes.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Query } from './answer.ts';

const ANSWER_NOTED_MS = 1000;
/** Changes in one answer. */
const MOST_CHANGES = 100;

/** Answers with the changes of the account's collections after the client's versions. */
export const appState: Query = (network, device, question) => {
  network.statistics.network.appStateQueries += 1;
  if (!network.settings.answerAppState) return undefined;
  synchronizedSoon(device);
  const asked = children(child(question, 'sync'), 'collection');
  return [
    node(
      'sync',
      {},
      asked.map((one) => changesFor(device, one)),
    ),
  ];
};

/** A client that is gone a moment later may not have noted the answer, and has to be led to this point again. */
function synchronizedSoon(device: LinkedDevice): void {
  const { connection } = device;
  const note = () => (device.synchronized ||= connection !== undefined && device.connection === connection);
  setTimeout(note, ANSWER_NOTED_MS).unref();
}

function changesFor({ owner: { accountState } }: LinkedDevice, asked: BinaryNode): BinaryNode {
  const { name = '', version = '0' } = asked.attrs;
  const from = Number(version);
  const changes = accountState.since(name, from, MOST_CHANGES);
  if (changes.length === 0) return node('collection', { name, version, type: 'result' }, [node('patches')]);
  const isMore = from + changes.length < accountState.version(name);
  const attributes = { name, version, type: 'result', has_more_patches: isMore ? 'true' : undefined };
  return node('collection', attributes, [
    node(
      'patches',
      {},
      changes.map((bytes) => node('patch', {}, bytes)),
    ),
  ]);
}
