import { isJidGroup, type BinaryNode } from '@whiskeysockets/baileys';
import type { Connection } from '../connection/connection.ts';
import { child, node, SERVER } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import { accountQueries } from './account.ts';
import { companionQuery } from './companion.ts';
import { encryptionQueries } from './encryption.ts';
import { groupQueries } from './groups.ts';
import { mediaQueries } from './media.ts';
import { userQuery } from './users.ts';

/** Answers a question of a linked device; its content goes into the result, an error code refuses it, undefined leaves it unanswered. */
export type Query = (
  network: Network,
  device: LinkedDevice,
  question: BinaryNode,
) => BinaryNode[] | { error: number } | undefined;

const NOT_IMPLEMENTED = 501;
const NOT_LINKED = 401;

/** One row per kind of question: namespace, type, and the tag of its first child where that matters. */
const QUERIES: Record<string, Query> = {
  ...accountQueries,
  ...encryptionQueries,
  ...groupQueries,
  ...mediaQueries,
  'usync get': userQuery,
};

export function answer(network: Network, connection: Connection, question: BinaryNode): void {
  const { type, xmlns, id, to } = question.attrs;
  const from = isJidGroup(to) === true ? to : SERVER;
  if (type === 'result') {
    if (child(question, 'pair-device-sign')) network.pairing.signed(connection);
    return;
  }
  const outcome = xmlns === 'md' ? companionQuery(network, connection, question) : ask(network, connection, question);
  if (outcome === undefined) return;
  if (Array.isArray(outcome)) return connection.send(node('iq', { from, type: 'result', id }, outcome));
  network.log({ event: 'query-refused', namespace: xmlns, type, error: outcome.error });
  const error = node('error', { code: String(outcome.error), text: 'refused-by-simulator' });
  connection.send(node('iq', { from, type: 'error', id }, [error]));
}

function ask(network: Network, { device }: Connection, question: BinaryNode): ReturnType<Query> {
  if (device === undefined) return { error: NOT_LINKED };
  const { xmlns, type } = question.attrs;
  const [first] = Array.isArray(question.content) ? question.content : [];
  const query = QUERIES[`${xmlns} ${type} ${first?.tag}`] ?? QUERIES[`${xmlns} ${type}`] ?? QUERIES[`${xmlns}`];
  return query === undefined ? { error: NOT_IMPLEMENTED } : query(network, device, question);
}
