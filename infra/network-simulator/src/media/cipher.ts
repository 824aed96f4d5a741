import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The purpose of a file's keys; a sticker counts as an image. */
export type MediaPurpose = 'Image' | 'Video' | 'Audio' | 'Document' | 'History';

/** Facts about a file in its message, so that the receiver can fetch, check and open it. */
export type FileFacts = {
  mediaKey: Buffer;
  fileSha256: Buffer;
  fileEncSha256: Buffer;
  fileLength: number;
};

/** `missing` on the media host; or the size, the hashes or the authentication differ from what the message says. */
export type MediaFault = 'missing' | 'size' | 'hash' | 'authentication';

const MAC_LENGTH = 10;

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** AES-256-CBC with keys derived from a new media key; ten bytes of HMAC come last. */
export function encryptFile(plain: Buffer, purpose: MediaPurpose): { bytes: Buffer; facts: FileFacts } {
  const mediaKey = randomBytes(32);
  const { initial, key, authenticating } = keysOf(mediaKey, purpose);
  const cipher = createCipheriv('aes-256-cbc', key, initial);
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  const bytes = Buffer.concat([ciphertext, authentication(authenticating, initial, ciphertext)]);
  const facts = { mediaKey, fileSha256: sha256(plain), fileEncSha256: sha256(bytes), fileLength: plain.length };
  return { bytes, facts };
}

/** @returns the file, or what differs from what the message says */
export function decryptFile(bytes: Buffer, facts: FileFacts, purpose: MediaPurpose): Buffer | MediaFault {
  if (!sha256(bytes).equals(facts.fileEncSha256)) return 'hash';
  const { initial, key, authenticating } = keysOf(facts.mediaKey, purpose);
  const ciphertext = bytes.subarray(0, -MAC_LENGTH);
  if (!authentication(authenticating, initial, ciphertext).equals(bytes.subarray(-MAC_LENGTH))) return 'authentication';
  const cipher = createDecipheriv('aes-256-cbc', key, initial);
  const plain = Buffer.concat([cipher.update(ciphertext), cipher.final()]);
  if (plain.length !== facts.fileLength) return 'size';
  return sha256(plain).equals(facts.fileSha256) ? plain : 'hash';
}

function keysOf(mediaKey: Buffer, purpose: MediaPurpose) {
  const expanded = Buffer.from(hkdfSync('sha256', mediaKey, Buffer.alloc(0), `WhatsApp ${purpose} Keys`, 112));
  return {
    initial: expanded.subarray(0, 16),
    key: expanded.subarray(16, 48),
    authenticating: expanded.subarray(48, 80),
  };
}

function authentication(key: Buffer, initial: Buffer, ciphertext: Buffer): Buffer {
  return createHmac('sha256', key).update(initial).update(ciphertext).digest().subarray(0, MAC_LENGTH);
}
