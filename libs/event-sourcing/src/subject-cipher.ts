import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const nonceLength = 12;
const tagLength = 16;
const nonces = Buffer.alloc(nonceLength * 512);
let nonceAt = nonces.length;

/** Random bytes are drawn in bulk: one call for each nonce costs as much as the encryption. */
function nextNonce(): Buffer {
  if (nonceAt === nonces.length) {
    randomFillSync(nonces);
    nonceAt = 0;
  }
  nonceAt += nonceLength;
  return Buffer.from(nonces.subarray(nonceAt - nonceLength, nonceAt));
}

/**
 * Encrypts a JSON value with a subject's key (AES-256-GCM).
 *
 * @param bound what it belongs to, for example the stream and the event's type; `openValue` must be told the same
 * @returns base64 of nonce, tag and text
 */
export function sealValue(key: KeyObject, value: unknown, bound: string): string {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound));
  const text = cipher.update(JSON.stringify(value), 'utf8');
  cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
}

/** @throws Error when it was changed or belongs to something else */
export function openValue(key: KeyObject, sealed: string, bound: string): unknown {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
  const text = decipher.update(bytes.subarray(nonceLength + tagLength));
  decipher.final();
  return JSON.parse(text.toString('utf8'));
}
