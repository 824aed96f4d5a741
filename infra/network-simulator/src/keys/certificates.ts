import { proto } from '@whiskeysockets/baileys';
import { signingKeyPair, type SigningKeyPair } from './key-pair.ts';
import { derive } from './seed.ts';

/** Keys and certificates with which the server proves itself in every handshake. */
export type ServerIdentity = {
  /** The key that clients must be told: it signs the intermediate certificate. */
  root: Buffer;
  /** The static key of the handshake, named by the leaf certificate. */
  leaf: SigningKeyPair;
  /** The encoded chain: root signs intermediate, intermediate signs leaf. */
  chain: Uint8Array;
};

const ROOT_SERIAL = 0; // the serial that clients expect of the issuer
const INTERMEDIATE_SERIAL = 1;
const LEAF_SERIAL = 2;
const VALID_SECONDS = 365 * 24 * 3600;

export function serverIdentity(seed: string): ServerIdentity {
  const [root, intermediate, leaf] = [pair(seed, 'root'), pair(seed, 'intermediate'), pair(seed, 'leaf')];
  return {
    root: root.public,
    leaf,
    chain: proto.CertChain.encode({
      intermediate: certificate(root, ROOT_SERIAL, INTERMEDIATE_SERIAL, intermediate.public),
      leaf: certificate(intermediate, INTERMEDIATE_SERIAL, LEAF_SERIAL, leaf.public),
    }).finish(),
  };
}

function pair(seed: string, name: string): SigningKeyPair {
  return signingKeyPair(derive(seed, `certificate:${name}`));
}

function certificate(issuer: SigningKeyPair, issuerSerial: number, serial: number, key: Buffer) {
  const now = Math.floor(Date.now() / 1000);
  const details = proto.CertChain.NoiseCertificate.Details.encode({
    serial,
    issuerSerial,
    key,
    notBefore: now - VALID_SECONDS,
    notAfter: now + VALID_SECONDS,
  }).finish();
  return { details, signature: issuer.sign(details) };
}
