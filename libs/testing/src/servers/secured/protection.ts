import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { authorityCertificate, namesOf, signedCertificate } from '@messaging-gateway/network-simulator/x509';
import type { Secured } from '../server.ts';

const host = '127.0.0.1';

/** A certificate from an authority of its own, and a user. Java and Erlang know ECDSA, and not all of them Ed25519. */
export function newProtection(): Secured {
  const authority = { name: 'Authority of a test', key: newKey() };
  const key = newKey();
  return {
    key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    certificate: signedCertificate(authority, { name: host, key, extensions: [namesOf(host)] }),
    authority: authorityCertificate(authority),
    user: 'gateway',
    password: randomBytes(12).toString('hex'),
  };
}

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
