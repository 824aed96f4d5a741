import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { bits, integer, objectId, octets, plain, sequence, set, tagged, text, time, truth } from './der.ts';

/** The authority that signs. */
export interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

/** The one whose key is signed, and what may be done with the key. */
export interface Subject extends Issuer {
  readonly extensions: readonly Buffer[];
}

const COMMON_NAME = objectId('2.5.4.3');
const YEAR_MS = 365 * 24 * 3_600_000;
const VALID_FROM = new Date(Date.UTC(2024, 0, 1));
const VALID_UNTIL = new Date(VALID_FROM.getTime() + 20 * YEAR_MS);

interface Algorithm {
  readonly id: Buffer;
  readonly digest: string | null;
}

const algorithms: Readonly<Record<string, Algorithm>> = {
  ed25519: { id: sequence(objectId('1.3.101.112')), digest: null },
  ec: { id: sequence(objectId('1.2.840.10045.4.3.2')), digest: 'sha256' },
};

/**
 * A certificate as PEM: RFC 5280, version 3, signed with Ed25519 (RFC 8410) or with ECDSA and SHA-256.
 *
 * @throws Error when the issuer's key is of another kind
 */
export function signedCertificate(issuer: Issuer, { name, key, extensions }: Subject): string {
  const algorithm = algorithms[issuer.key.asymmetricKeyType ?? ''];
  if (algorithm === undefined) throw new Error(`Nothing is signed with a key of ${issuer.key.asymmetricKeyType}.`);
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const serial = createHash('sha256').update(publicKey).update(name).digest().subarray(0, 16);
  const facts = sequence(
    tagged(0, integer(2)),
    integer(1, ...serial),
    algorithm.id,
    named(issuer.name),
    sequence(time(VALID_FROM), time(VALID_UNTIL)),
    named(name),
    publicKey,
    tagged(3, sequence(...extensions)),
  );
  const certificate = sequence(facts, algorithm.id, bits(sign(algorithm.digest, facts, issuer.key)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** The certificate of an authority, signed by itself. */
export const authorityCertificate = (issuer: Issuer): string =>
  signedCertificate(issuer, { ...issuer, extensions: [mayIssue(), mayOnlySign()] });

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

/** The host that the certificate is for, beside `localhost`. */
export function namesOf(host: string): Buffer {
  const name = isIPv4(host) ? plain(7, Buffer.from(host.split('.').map(Number))) : plain(2, Buffer.from(host));
  return sequence(objectId('2.5.29.17'), octets(sequence(name, plain(2, Buffer.from('localhost')))));
}
