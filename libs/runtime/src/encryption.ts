import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';

/** Encryption at rest with keys that can be rotated: each ciphertext names the key that made it. */
export interface EncryptionKeys {
  /** Names the key that `seal` uses: 8 hex digits, no secret. */
  readonly currentKeyId: string;
  /**
   * AES-256-GCM with the current key.
   *
   * @param bound what the ciphertext belongs to, for example `subject:user:…`; `open` must be told the same
   */
  seal(plain: Uint8Array, bound?: string): Buffer;
  /** @throws Error when it was changed, bound to something else, or made with a key that is not known */
  open(sealed: Uint8Array, bound?: string): Buffer;
}

const form = 1;
const nonceBytes = 12;
const header = { keyId: 1, nonce: 5, tag: 17, text: 33 } as const;

interface Key {
  readonly id: Buffer;
  /** As an object: Node.js takes longer to find out that bytes are none than to encrypt with it. */
  readonly secret: KeyObject;
}

/** Sealed with a key that is not configured here: another process may have it. */
export class UnknownEncryptionKey extends Error {
  constructor(keyId: string) {
    super(`The ciphertext was made with the key ${keyId}, which is not configured.`);
    this.name = 'UnknownEncryptionKey';
  }
}

/**
 * Keys from their secret texts. Layout of a ciphertext: form (1 byte), key id (4), nonce (12), tag (16), text.
 *
 * @param current `ENCRYPTION_KEY`, 32 characters
 * @param previous `ENCRYPTION_KEY_PREVIOUS`: still read, no longer written with
 */
export function encryptionKeys(current: string, previous: readonly string[] = []): EncryptionKeys {
  const writing = deriveKey(current);
  const known = new Map([writing, ...previous.map(deriveKey)].map((key) => [key.id.toString('hex'), key.secret]));
  return {
    currentKeyId: writing.id.toString('hex'),
    seal: (plain, bound = '') => seal(writing, plain, bound),
    open: (sealed, bound = '') => {
      const keyId = Buffer.from(sealed.subarray(header.keyId, header.nonce)).toString('hex');
      const secret = known.get(keyId);
      if (sealed[0] !== form || sealed.length < header.text) throw new Error('This is no ciphertext of this gateway.');
      if (secret === undefined) throw new UnknownEncryptionKey(keyId);
      return open(secret, sealed, bound);
    },
  };
}

function deriveKey(text: string): Key {
  if (text.length !== 32) throw new Error('An encryption key must have 32 characters.');
  const derive = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', text, '', `messaging-gateway ${purpose}`, length));
  return { id: derive('key id', 4), secret: createSecretKey(derive('encryption at rest', 32)) };
}

/** Random bytes drawn ahead: a call of the generator costs more than the bytes. Each is used once. */
let drawn = Buffer.alloc(0);

function nextNonce(): Buffer {
  if (drawn.length === 0) drawn = randomBytes(nonceBytes * 256);
  const nonce = drawn.subarray(0, nonceBytes);
  drawn = drawn.subarray(nonceBytes);
  return nonce;
}

function seal(key: Key, plain: Uint8Array, bound: string): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key.secret, nonce).setAAD(Buffer.from(bound));
  const text = cipher.update(plain);
  const rest = cipher.final();
  return Buffer.concat([Buffer.of(form), key.id, nonce, cipher.getAuthTag(), text, rest]);
}

function open(secret: KeyObject, sealed: Uint8Array, bound: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(header.nonce, header.tag), {
    authTagLength: 16,
  })
    .setAAD(Buffer.from(bound))
    .setAuthTag(sealed.subarray(header.tag, header.text));
  return Buffer.concat([decipher.update(sealed.subarray(header.text)), decipher.final()]);
}
