import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { initAuthCreds, type AuthenticationCreds, type KeyPair } from '@whiskeysockets/baileys';
import { bundled } from './pre-key-bundle.ts';
import type { SignalState } from './signal-state.ts';

/** The client library uploads so many one-time keys at the first login. */
const firstPreKeys = 812;
const atOnce = 32;
const makeKeys = promisify(generateKeyPair);

/** The credentials that are stored, or undefined for a session that was never started. */
export async function storedCredentials(state: SignalState): Promise<AuthenticationCreds | undefined> {
  const { own } = await state.get<AuthenticationCreds>('credentials', ['own']);
  return own;
}

export const isLinked = (credentials: AuthenticationCreds | undefined): boolean => credentials?.account !== undefined;

/**
 * Credentials to connect with: those of the link, or new ones, whose one-time keys are made ahead outside of the event
 * loop (the library would make them in one go, 100 ms and more, while everything else waits).
 */
export async function credentialsFor(state: SignalState): Promise<AuthenticationCreds> {
  const stored = await storedCredentials(state);
  if (stored === undefined) return newCredentials(state);
  if (isLinked(stored)) return stored;
  // A pairing code that nobody typed leaves a name behind, with which the library would log in instead of linking.
  const { me: _me, ...unlinked } = stored;
  return { ...unlinked, pairingCode: undefined, registered: false };
}

export const saveCredentials = (state: SignalState, credentials: AuthenticationCreds): Promise<void> =>
  state.set({ credentials: { own: credentials } });

async function newCredentials(state: SignalState): Promise<AuthenticationCreds> {
  const credentials = { ...initAuthCreds(), nextPreKeyId: firstPreKeys + 1 };
  const pairs: KeyPair[] = [];
  while (pairs.length < firstPreKeys) pairs.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, firstPreKeys - pairs.length) }, preKey))));
  await state.commit([...state.changes({ credentials: { own: credentials } }), bundled(pairs)]);
  return credentials;
}

/** Raw keys stand behind fixed headers of their DER forms. */
async function preKey(): Promise<KeyPair> {
  const { publicKey, privateKey } = await makeKeys('x25519', {
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });
  return { public: Buffer.from(publicKey.subarray(-32)), private: Buffer.from(privateKey.subarray(-32)) };
}
