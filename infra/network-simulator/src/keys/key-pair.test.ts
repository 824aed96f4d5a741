import '@messaging-gateway/runtime/silent-signal-library';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Curve } from '@whiskeysockets/baileys';
import { verifySignature } from 'libsignal/src/curve.js';
import { signingKeyPair } from './key-pair.ts';

const prefixed = (key: Buffer) => Buffer.concat([Buffer.from([5]), key]);

describe('a signing key pair', () => {
  it('makes signatures that the Signal library verifies', () => {
    for (let round = 0; round < 8; round += 1) {
      const pair = signingKeyPair(randomBytes(32));
      const message = randomBytes(33);
      expect(verifySignature(prefixed(pair.public), message, pair.sign(message))).toBe(true);
      expect(verifySignature(prefixed(pair.public), randomBytes(33), pair.sign(message))).toBe(false);
    }
  });

  it('agrees on a shared key with any other pair', () => {
    const [one, other] = [signingKeyPair(randomBytes(32)), Curve.generateKeyPair()];
    expect(Curve.sharedKey(one.private, other.public)).toEqual(Curve.sharedKey(other.private, one.public));
  });

  it('is the same for the same seed', () => {
    const seed = randomBytes(32);
    expect(signingKeyPair(seed).public).toEqual(signingKeyPair(seed).public);
  });
});
