import { createPrivateKey, type KeyObject } from 'node:crypto';
import { authorityCertificate, namesOf, signedCertificate } from '../certificates/x509.ts';
import { derive } from '../keys/seed.ts';

/** Key and certificate of an HTTPS server, and the certificate of the authority that clients have to trust; all as PEM. */
export type HostCertificate = { key: string; certificate: string; authority: string };

const ED25519_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const AUTHORITY = 'Simulated network';

/**
 * A certificate for one host, signed by an authority of the simulator's own.
 * The same seed gives the same authority, so that clients go on trusting a simulator that was started again. It is made
 * of the handful of elements that RFC 5280 asks for: packages for it take a second of loading, or know RSA keys only.
 */
export function hostCertificate(seed: string, host: string): HostCertificate {
  const authority = { name: AUTHORITY, key: keyOf(seed, 'media-authority') };
  const key = keyOf(seed, 'media-host');
  return {
    key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    certificate: signedCertificate(authority, { name: host, key, extensions: [namesOf(host)] }),
    authority: authorityCertificate(authority),
  };
}

function keyOf(seed: string, purpose: string): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([ED25519_PRIVATE, derive(seed, purpose)]),
    format: 'der',
    type: 'pkcs8',
  });
}
