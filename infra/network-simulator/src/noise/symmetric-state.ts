import { createHash } from 'node:crypto';
import { aesDecryptGCM, aesEncryptGCM, Curve, hkdf, NOISE_MODE } from '@whiskeysockets/baileys';

/** The running hash and keys of a Noise handshake (Noise_XX_25519_AESGCM_SHA256). */
export class SymmetricState {
  private hash: Buffer = Buffer.from(NOISE_MODE);
  private chaining: Buffer = this.hash;
  private key: Buffer = this.hash;
  private counter = 0;

  mixHash(data: Uint8Array): void {
    this.hash = createHash('sha256').update(this.hash).update(data).digest();
  }

  mixSharedKey(privateKey: Buffer, publicKey: Uint8Array): void {
    [this.chaining, this.key] = this.expand(Curve.sharedKey(privateKey, Buffer.from(publicKey)));
    this.counter = 0;
  }

  encrypt(plaintext: Uint8Array): Buffer {
    const ciphertext = aesEncryptGCM(plaintext, this.key, nonce(this.counter++), this.hash);
    this.mixHash(ciphertext);
    return ciphertext;
  }

  decrypt(ciphertext: Uint8Array): Buffer {
    const plaintext = aesDecryptGCM(ciphertext, this.key, nonce(this.counter++), this.hash);
    this.mixHash(ciphertext);
    return plaintext;
  }

  /** The keys of the two directions: first what the client writes, then what it reads. */
  split(): [Buffer, Buffer] {
    return this.expand(Buffer.alloc(0));
  }

  private expand(input: Uint8Array): [Buffer, Buffer] {
    const key = Buffer.from(hkdf(input, 64, { salt: this.chaining, info: '' }));
    return [key.subarray(0, 32), key.subarray(32)];
  }
}

/** The twelve bytes that make every encryption under one key unique. */
export function nonce(counter: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(counter, 8);
  return bytes;
}
