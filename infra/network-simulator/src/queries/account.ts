import type { BinaryNode } from '@whiskeysockets/baileys';
import { child, children, node } from '../connection/nodes.ts';
import { deliverWaiting } from '../messages/waiting.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Query } from './answer.ts';

const NOT_FOUND = 404;
const ANSWER_NOTED_MS = 1000;
const nothing: Query = () => [];
const notFound: Query = () => ({ error: NOT_FOUND });

const PRIVACY: Record<string, string> = {
  readreceipts: 'all',
  last: 'all',
  online: 'all',
  profile: 'all',
  status: 'all',
  groupadd: 'all',
  calladd: 'all',
  messages: 'all',
};

const passive: Query = (network, device, question) => {
  // After this turn, so that the answer comes first.
  if (child(question, 'active')) setImmediate(deliverWaiting, network, device);
  return [];
};

const privacySettings: Query = () => {
  const categories = Object.entries(PRIVACY).map(([name, value]) => node('category', { name, value }));
  return [node('privacy', {}, categories)];
};

/** Nothing was ever changed on this account: every collection is empty and at the version that the client has. */
const appState: Query = (_network, device, question) => {
  synchronizedSoon(device);
  const asked = children(child(question, 'sync'), 'collection');
  return [node('sync', {}, asked.map(emptyCollection))];
};

/** A client that is gone a moment later may not have noted the answer, and has to be led to this point again. */
function synchronizedSoon(device: LinkedDevice): void {
  const { connection } = device;
  const note = () => (device.synchronized ||= connection !== undefined && device.connection === connection);
  setTimeout(note, ANSWER_NOTED_MS).unref();
}

function emptyCollection(asked: BinaryNode): BinaryNode {
  const { name, version = '0' } = asked.attrs;
  return node('collection', { name, version, type: 'result' }, [node('patches')]);
}

/** What clients ask about their own account, mostly right after login. */
export const accountQueries: Record<string, Query> = {
  'w:p get': nothing,
  'passive set': passive,
  'abt get': () => [node('props')],
  'blocklist get': () => [node('list')],
  'privacy get': privacySettings,
  'privacy set tokens': nothing,
  'w:sync:app:state set': appState,
  'w:profile:picture get': notFound,
  'w:stats': nothing,
  'urn:xmpp:whatsapp:dirty set': nothing,
};
