import crypto from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { keysAsObjects } from './adaptations.ts';

const [key, nonce, text] = [Buffer.alloc(32, 7), Buffer.alloc(12, 9), Buffer.from('a text')];
const mac = (): string => crypto.createHmac('sha256', key).update(text).digest('hex');

function sealed(): string {
  const cipher = crypto.createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('hex');
}

describe('keys as objects', () => {
  it('yield what bytes do, however often they are asked for', () => {
    const before = [mac(), sealed()];
    keysAsObjects();
    const { createHmac } = crypto;
    keysAsObjects();
    expect(crypto.createHmac).toBe(createHmac);
    expect([mac(), sealed()]).toEqual(before);
  });

  it('leave texts, empty keys and wrong lengths as they are', () => {
    keysAsObjects();
    const ofText = crypto.createHmac('sha256', 'a text as a key').update(text).digest('hex');
    expect(ofText).toBe(crypto.createHmac('sha256', Buffer.from('a text as a key')).update(text).digest('hex'));
    expect(crypto.createHmac('sha256', Buffer.alloc(0)).update(text).digest()).toHaveLength(32);
    expect(() => crypto.createCipheriv('aes-256-gcm', Buffer.alloc(5), nonce)).toThrow(/key length/i);
  });
});
