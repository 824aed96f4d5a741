import { aesDecryptGCM, Curve, hkdf } from '@whiskeysockets/baileys';
import type { SigningKeyPair } from '../keys/key-pair.ts';

const NOTHING = Buffer.alloc(0);

/**
 * Opens what the client sends last when it is linked by a code: 32 bytes of salt, 12 of initialisation vector,
 * and, encrypted, both identity keys and 32 random bytes.
 *
 * @param shared what both ephemeral keys agree on; another code leads to another one
 * @returns the secret that seals the device identity, or undefined when the code was wrong
 */
export function openKeyBundle(
  bundle: Buffer,
  shared: Buffer,
  identity: SigningKeyPair,
  clientIdentity: Buffer,
): Buffer | undefined {
  const info = 'link_code_pairing_key_bundle_encryption_key';
  const key = hkdf(shared, 32, { salt: bundle.subarray(0, 32), info });
  const opened = decrypted(bundle.subarray(44), key, bundle.subarray(32, 44));
  if (opened === undefined || !opened.subarray(0, 32).equals(clientIdentity)) return undefined;
  const agreed = Curve.sharedKey(identity.private, clientIdentity);
  const secret = hkdf(Buffer.concat([shared, agreed, opened.subarray(64, 96)]), 32, { info: 'adv_secret' });
  return Buffer.from(secret);
}

function decrypted(ciphertext: Buffer, key: Uint8Array, vector: Buffer): Buffer | undefined {
  try {
    return aesDecryptGCM(ciphertext, key, vector, NOTHING);
  } catch {
    return undefined;
  }
}
