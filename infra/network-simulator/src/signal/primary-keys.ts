import { Curve } from '@whiskeysockets/baileys';
import { signingKeyPair, type SigningKeyPair } from '../keys/key-pair.ts';
import { derive } from '../keys/seed.ts';
import { typed, type KeyBundle, type SignalKeyPair } from './bundle.ts';

const SIGNED_PRE_KEY_ID = 1;

/** The keys of a simulated phone: the device 0 of its account. */
export class PrimaryKeys {
  readonly identity: SigningKeyPair;
  readonly registrationId: number;
  private readonly signedPreKey: SigningKeyPair;
  private readonly preKeys = new Map<number, SignalKeyPair>();
  private nextPreKeyId = 1;

  constructor(seed: string, phone: string) {
    this.identity = signingKeyPair(derive(seed, `identity:${phone}`));
    this.signedPreKey = signingKeyPair(derive(seed, `signed-pre-key:${phone}`));
    this.registrationId = derive(seed, `registration:${phone}`).readUInt16BE(0) & 0x3fff;
  }

  /** The keys with which somebody opens a session; every call hands out a new one-time key. */
  bundle(): KeyBundle {
    const preKey = this.makePreKey();
    return {
      registrationId: this.registrationId,
      identityKey: this.identity.public,
      signedPreKey: {
        keyId: SIGNED_PRE_KEY_ID,
        publicKey: this.signedPreKey.public,
        signature: this.identity.sign(typed(this.signedPreKey.public)),
      },
      preKey,
    };
  }

  identityPair(): SignalKeyPair {
    return { privKey: this.identity.private, pubKey: typed(this.identity.public) };
  }

  signedPreKeyPair(): SignalKeyPair {
    return { privKey: this.signedPreKey.private, pubKey: typed(this.signedPreKey.public) };
  }

  preKeyPair(keyId: number): SignalKeyPair | undefined {
    return this.preKeys.get(keyId);
  }

  usePreKey(keyId: number): void {
    this.preKeys.delete(keyId);
  }

  private makePreKey() {
    const pair = Curve.generateKeyPair();
    const keyId = this.nextPreKeyId++;
    this.preKeys.set(keyId, { privKey: Buffer.from(pair.private), pubKey: typed(pair.public) });
    return { keyId, publicKey: Buffer.from(pair.public) };
  }
}
