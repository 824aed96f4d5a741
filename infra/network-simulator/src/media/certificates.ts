import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { derive } from '../keys/seed.ts';
import { bits, integer, objectId, octets, plain, sequence, set, tagged, text, time, truth } from './der.ts';

/** What an HTTPS server shows, and the certificate of the authority that clients have to trust; all as PEM. */
export type HostCertificate = { key: string; certificate: string; authority: string };

const ED25519_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const ED25519 = sequence(objectId('1.3.101.112'));
const COMMON_NAME = objectId('2.5.4.3');
const YEAR_MS = 365 * 24 * 3_600_000;
const VALID_FROM = new Date(Date.UTC(2024, 0, 1));
const VALID_UNTIL = new Date(VALID_FROM.getTime() + 20 * YEAR_MS);
const AUTHORITY = 'Simulated network';

type Certified = { name: string; key: KeyObject; extensions: Buffer[] };

/**
 * A certificate for one host, signed by an authority of the simulator's own.
 * The same seed gives the same authority, so that clients go on trusting a simulator that was started again.
 *
 * @see docs/decisions/0330-certificates-of-the-simulated-media-host.md
 */
export function hostCertificate(seed: string, host: string): HostCertificate {
  const authority = keyOf(seed, 'media-authority');
  const key = keyOf(seed, 'media-host');
  return {
    key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    certificate: signed(authority, { name: host, key, extensions: [namesOf(host)] }),
    authority: signed(authority, { name: AUTHORITY, key: authority, extensions: [mayIssue(), mayOnlySign()] }),
  };
}

function keyOf(seed: string, purpose: string): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([ED25519_PRIVATE, derive(seed, purpose)]),
    format: 'der',
    type: 'pkcs8',
  });
}

/** RFC 5280, version 3, signed with Ed25519 (RFC 8410). */
function signed(authority: KeyObject, { name, key, extensions }: Certified): string {
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const serial = createHash('sha256').update(publicKey).update(name).digest().subarray(0, 16);
  const facts = sequence(
    tagged(0, integer(2)),
    integer(1, ...serial),
    ED25519,
    named(AUTHORITY),
    sequence(time(VALID_FROM), time(VALID_UNTIL)),
    named(name),
    publicKey,
    tagged(3, sequence(...extensions)),
  );
  const certificate = sequence(facts, ED25519, bits(sign(null, facts, authority)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function named(name: string): Buffer {
  return sequence(set(sequence(COMMON_NAME, text(name))));
}

function mayIssue(): Buffer {
  return sequence(objectId('2.5.29.19'), truth, octets(sequence(truth)));
}

function mayOnlySign(): Buffer {
  const KEY_CERT_SIGN = Buffer.from([0b0000_0100]);
  return sequence(objectId('2.5.29.15'), truth, octets(bits(KEY_CERT_SIGN, 2)));
}

function namesOf(host: string): Buffer {
  const name = isIPv4(host) ? plain(7, Buffer.from(host.split('.').map(Number))) : plain(2, Buffer.from(host));
  return sequence(objectId('2.5.29.17'), octets(sequence(name, plain(2, Buffer.from('localhost')))));
}
