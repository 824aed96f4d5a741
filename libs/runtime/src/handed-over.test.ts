import { describe, expect, it } from '@jest/globals';
import { encryptionKeys } from './encryption.ts';
import { openedFor, sealedFor } from './handed-over.ts';

const keys = encryptionKeys('abcdefghijklmnopqrstuvwxyz012345');

describe('settings that are handed over', () => {
  it('are the same for whoever has the key, and show nothing to others', () => {
    const sealed = sealedFor(keys, 'one', { apiToken: 'a secret' });
    expect(Buffer.from(sealed, 'base64').toString()).not.toContain('secret');
    expect(openedFor(keys, 'one', sealed)).toEqual({ apiToken: 'a secret' });
    expect(() => openedFor(encryptionKeys('543210zyxwvutsrqponmlkjihgfedcba'), 'one', sealed)).toThrow();
  });
  it('are of one organization', () => {
    expect(() => openedFor(keys, 'two', sealedFor(keys, 'one', {}))).toThrow();
  });
});
