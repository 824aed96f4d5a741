import { child, node } from '../connection/nodes.ts';
import { deliverWaiting } from '../messages/waiting.ts';
import { cappingInfo, timelock } from '../people/restriction.ts';
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

const RESTRICTION_QUERY = '23983697327930364';
const NEW_CHATS_QUERY = '24503548349331633';
const UNKNOWN_QUERY = 400;

const result = (data: object) => [node('result', {}, Buffer.from(JSON.stringify({ data })))];

/** What the network allows the account, in the format of GraphQL. */
const allowance: Query = (_network, device, question) => {
  const { allowance: allowed } = device.owner;
  switch (child(question, 'query')?.attrs['query_id']) {
    case RESTRICTION_QUERY:
      return result({ xwa2_fetch_account_reachout_timelock: timelock(allowed) });
    case NEW_CHATS_QUERY:
      return result({ xwa2_message_capping_info: cappingInfo(allowed) });
    default:
      return { error: UNKNOWN_QUERY };
  }
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
  'w:mex get': allowance,
  'urn:xmpp:whatsapp:dirty set': nothing,
};
