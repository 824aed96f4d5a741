import type { BinaryNode } from '@whiskeysockets/baileys';
import { bytesOf, child, children, fromBigEndian, node } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import { parseJid } from '../people/jid.ts';
import { bundleNode, readPreKey, readSignedPreKey } from '../signal/bundle.ts';
import type { Query } from './answer.ts';

const count: Query = (_network, device) => [node('count', { value: String(device.preKeys.length) })];

const digest: Query = (_network, device) => {
  const { registrationId, identityKey } = device.registration;
  return [
    node('digest', {}, [node('registration', { id: String(registrationId) }), node('identity', {}, identityKey)]),
  ];
};

const upload: Query = (_network, device, question) => {
  device.preKeys.push(...children(child(question, 'list'), 'key').map(readPreKey));
  device.registration.registrationId = fromBigEndian(bytesOf(question, 'registration'));
  device.registration.signedPreKey = readSignedPreKey(question) ?? device.registration.signedPreKey;
  return [];
};

const rotate: Query = (_network, device, question) => {
  const signedPreKey = readSignedPreKey(child(question, 'rotate'));
  device.registration.signedPreKey = signedPreKey ?? device.registration.signedPreKey;
  return [];
};

// A device that is not there is left out: one error in the list would fail the client's whole batch.
const bundles: Query = (network, _device, question) => {
  const asked = children(child(question, 'key'), 'user').map((user) => user.attrs['jid'] ?? '');
  return [
    node(
      'list',
      {},
      asked.flatMap((jid) => bundleOf(network, jid)),
    ),
  ];
};

function bundleOf(network: Network, jid: string): BinaryNode[] {
  const device = parseJid(jid)?.device ?? 0;
  const keys = device === 0 ? network.directory.find(jid)?.keys : network.directory.device(jid);
  return keys === undefined ? [] : [bundleNode(jid, keys.bundle())];
}

/** Questions of clients about keys: their own on the server, and others' to open sessions with. */
export const encryptionQueries: Record<string, Query> = {
  'encrypt get count': count,
  'encrypt get digest': digest,
  'encrypt get key': bundles,
  'encrypt set rotate': rotate,
  'encrypt set': upload,
};
