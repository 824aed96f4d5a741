import { describe, expect, it } from '@jest/globals';
import { encryptionKeys } from './encryption.ts';

const first = 'abcdefghijklmnopqrstuvwxyz012345';
const second = '543210zyxwvutsrqponmlkjihgfedcba';
const plain = Buffer.from('a secret');

describe('encryption at rest', () => {
  it('gives back what was sealed', () => {
    const keys = encryptionKeys(first);
    expect(keys.open(keys.seal(plain, 'user:1'), 'user:1')).toEqual(plain);
    expect(keys.open(keys.seal(Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
  });

  it('refuses what was changed or belongs elsewhere', () => {
    const keys = encryptionKeys(first);
    const sealed = keys.seal(plain, 'user:1');
    expect(() => keys.open(sealed, 'user:2')).toThrow();
    sealed[sealed.length - 1]! ^= 1;
    expect(() => keys.open(sealed, 'user:1')).toThrow();
    expect(() => keys.open(Buffer.from('short'))).toThrow('no ciphertext');
  });

  it('reads ciphertexts of a previous key after a rotation, and not without it', () => {
    const sealed = encryptionKeys(first).seal(plain);
    expect(encryptionKeys(second, [first]).open(sealed)).toEqual(plain);
    expect(() => encryptionKeys(second).open(sealed)).toThrow('is not configured');
    expect(encryptionKeys(second, [first]).currentKeyId).toBe(encryptionKeys(second).currentKeyId);
  });

  it('takes keys of 32 characters only', () => {
    expect(() => encryptionKeys('short')).toThrow('32 characters');
  });
});
