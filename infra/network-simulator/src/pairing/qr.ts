import { Refusal } from '../control/refusal.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';

/** A phone scans a QR code: reference, noise key, identity key and secret, separated by commas, behind a link or not. */
export async function scan(network: Network, person: Person, qr: string): Promise<LinkedDevice> {
  const [ref = '', noiseKey = '', identityKey = '', secret = ''] = qr.slice(qr.indexOf('#') + 1).split(',');
  const candidate = network.pairing.byRef(ref);
  if (candidate === undefined) throw new Refusal('QR_UNKNOWN', 'This QR code is not shown by any connected client.');
  const { registration } = candidate;
  const genuine =
    registration.noiseKey.equals(base64(noiseKey)) && registration.identityKey.equals(base64(identityKey));
  if (!genuine)
    throw new Refusal('QR_FORGED', 'The keys in this QR code are not those of the client that asked for it.');
  return network.pairing.link(person, candidate, base64(secret));
}

function base64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
