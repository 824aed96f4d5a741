import { randomBytes } from 'node:crypto';
import { node, nowSeconds, SERVER } from '../connection/nodes.ts';
import { Refusal } from '../control/refusal.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import type { Candidate } from './pairing.ts';

/** The parts of a QR code, behind a link or not. */
function partsOf(qr: string): { ref: string; noiseKey: string; identityKey: string; secret: string } {
  const [ref = '', noiseKey = '', identityKey = '', secret = ''] = qr.slice(qr.indexOf('#') + 1).split(',');
  return { ref, noiseKey, identityKey, secret };
}

/** The client that shows a QR code. @throws Refusal when there is none */
function candidateOf(network: Network, ref: string): Candidate {
  const candidate = network.pairing.byRef(ref);
  if (candidate === undefined) throw new Refusal('QR_UNKNOWN', 'This QR code is not shown by any connected client.');
  return candidate;
}

/** A phone scans a QR code. */
export async function scan(network: Network, person: Person, qr: string): Promise<LinkedDevice> {
  const { ref, noiseKey, identityKey, secret } = partsOf(qr);
  const candidate = candidateOf(network, ref);
  const { registration } = candidate;
  const genuine =
    registration.noiseKey.equals(base64(noiseKey)) && registration.identityKey.equals(base64(identityKey));
  if (!genuine)
    throw new Refusal('QR_FORGED', 'The keys in this QR code are not those of the client that asked for it.');
  // The client learns nothing of it, as on the real network.
  if (candidate.retired.has(secret)) throw new Refusal('QR_RETIRED', 'The secret in this QR code was replaced.');
  return network.pairing.link(person, candidate, base64(secret));
}

/** Notifies the client that shows a QR code that it has to replace the secret. */
export function refreshCompanion(network: Network, qr: string): void {
  const { ref, secret } = partsOf(qr);
  const { connection, retired } = candidateOf(network, ref);
  retired.add(secret);
  const attributes = {
    from: SERVER,
    type: 'companion_reg_refresh',
    id: randomBytes(6).toString('hex'),
    t: nowSeconds(),
  };
  connection.send(node('notification', attributes, [node('companion_reg_refresh')]));
}

function base64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
