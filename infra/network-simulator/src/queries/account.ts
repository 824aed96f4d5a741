import { child, node } from '../connection/nodes.ts';
import { deliverWaiting } from '../messages/waiting.ts';
import type { Query } from './answer.ts';
import { appState } from './app-state.ts';

const NOT_FOUND = 404;
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

/** Questions of clients about their own account, mostly right after login. */
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
