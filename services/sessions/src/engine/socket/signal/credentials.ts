import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { type AuthenticationCreds, initAuthCreds, type KeyPair } from '@whiskeysockets/baileys';
import { bundled, type SignalState } from './signal-state.ts';

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

/** Credentials to connect with: those of the link, with the one-time keys that were made ahead, or new ones. */
export async function credentialsFor(state: SignalState): Promise<AuthenticationCreds> {
  const stored = await storedCredentials(state);
  if (stored === undefined) return newCredentials(state);
  // A pairing code that nobody typed leaves a name behind, with which the library would log in instead of linking.
  const { me: _me, ...unlinked } = stored;
  if (!isLinked(stored)) return { ...unlinked, pairingCode: undefined, registered: false };
  if (stored.nextPreKeyId > 1) return stored;
  await makePreKeys(state);
  return { ...stored, nextPreKeyId: firstPreKeys + 1 };
}

export const saveCredentials = (state: SignalState, credentials: AuthenticationCreds): Promise<void> =>
  state.set({ credentials: { own: credentials } });

/**
 * Makes the first one-time keys outside of the event loop, unless they are there: while somebody looks for the phone.
 * The library would make them at the login in one go, 100 ms and more, while everything else waits.
 */
export async function makePreKeys(state: SignalState): Promise<void> {
  if (await state.hasBundle()) return;
  const pairs: KeyPair[] = [];
  while (pairs.length < firstPreKeys)
    pairs.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, firstPreKeys - pairs.length) }, preKey))));
  await state.commit([bundled(pairs)]);
}

async function newCredentials(state: SignalState): Promise<AuthenticationCreds> {
  const credentials = initAuthCreds();
  await saveCredentials(state, credentials);
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
