import { aesDecryptGCM, aesEncryptGCM } from '@whiskeysockets/baileys';
import { nonce } from './symmetric-state.ts';

const NOTHING = Buffer.alloc(0);

/** Encrypts and decrypts what follows the handshake; frames must go through in the order of the wire. */
export class Transport {
  private readonly readKey: Buffer;
  private readonly writeKey: Buffer;
  private read = 0;
  private written = 0;

  constructor(readKey: Buffer, writeKey: Buffer) {
    this.readKey = readKey;
    this.writeKey = writeKey;
  }

  encrypt(plaintext: Uint8Array): Buffer {
    return aesEncryptGCM(plaintext, this.writeKey, nonce(this.written++), NOTHING);
  }

  /** @throws when the frame was not written by the other side, or not in this order */
  decrypt(ciphertext: Uint8Array): Buffer {
    return aesDecryptGCM(ciphertext, this.readKey, nonce(this.read++), NOTHING);
  }
}
