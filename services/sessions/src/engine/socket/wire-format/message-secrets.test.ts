import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { encryptionKeys } from '@messaging-gateway/runtime';
import type { Change, SessionData } from '../../../session-data/session-data-store.ts';
import { sessionKey } from '../../../testing/engine-harness.ts';
import { openSealed, secretChanges, unseal, type SealLabel } from './message-secrets.ts';

const lid = '100000000000001@lid';
const phone = '4915112345678@s.whatsapp.net';
const secret = randomBytes(32);
const messageId = '3EB0C767D82B1F2A';
const message = { messageContextInfo: { messageSecret: secret } };
const day = 24 * 3_600_000;
const now = 20_000 * day;

function seal(label: SealLabel, author: string, editor: string, text: string, associated?: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `${messageId}${author}${editor}${label}`, 32));
  const encIv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, encIv);
  if (associated !== undefined) cipher.setAAD(Buffer.from(associated));
  return { encIv, encPayload: Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]) };
}

/** Session data that holds the rows of these changes. */
function holding(changes: readonly Change[]): { data: SessionData; reads: number[] } {
  const reads: number[] = [];
  const rows = new Map(changes.map(({ id, value }) => [id, value && Buffer.from(value)]));
  const read = async (_: string, ids: readonly string[]) => {
    reads.push(ids.length);
    return ids.map((id) => rows.get(id));
  };
  return { data: { read } as unknown as SessionData, reads };
}

describe('secrets of messages', () => {
  it('decrypt changes whose author and editor are named by LID or number', () => {
    for (const author of [lid, phone])
      for (const editor of [lid, phone]) {
        const sealed = seal('Message Edit', author, editor, 'after');
        const key = { messageId, secret, authors: [lid, phone], editors: [lid, phone] };
        expect(unseal('Message Edit', sealed, key)?.toString()).toBe('after');
        expect(unseal('Enc Reaction', sealed, key)).toBeUndefined();
        expect(unseal('Message Edit', sealed, { ...key, secret: randomBytes(32) })).toBeUndefined();
      }
  });

  it('bind votes and answers to events to message and author', () => {
    const key = { messageId, secret, authors: [lid], editors: [phone] };
    for (const label of ['Poll Vote', 'Event Response'] as const) {
      expect(unseal(label, seal(label, lid, phone, 'vote', `${messageId}\0${phone}`), key)?.toString()).toBe('vote');
      expect(unseal(label, seal(label, lid, phone, 'vote'), key)).toBeUndefined();
    }
  });

  it('that are no ciphertext decrypt to nothing', () => {
    const key = { messageId, secret, authors: [lid], editors: [phone] };
    for (const sealed of [
      {},
      { encPayload: null, encIv: null },
      { encPayload: Buffer.alloc(15), encIv: Buffer.alloc(12) },
    ])
      expect(unseal('Message Edit', sealed, key)).toBeUndefined();
  });

  it('take at most 100 bytes each, and are found on the day and a month later, by either address', async () => {
    const [stored] = secretChanges(messageId, message, [lid, phone], now);
    const keys = encryptionKeys(sessionKey);
    expect(keys.seal(stored?.value ?? Buffer.alloc(0), 'x').length).toBeLessThanOrEqual(100);
    const { data, reads } = holding([stored as Change]);
    const sealed = seal('Message Edit', phone, lid, 'after');
    for (const later of [0, day, 30 * day]) {
      const parts = { data, now: now + later };
      const which = { messageId, authors: [lid], editors: [lid] };
      // The stored row also knows the author's number, which the edit was encrypted for.
      expect((await openSealed('Message Edit', sealed, which, parts))?.toString()).toBe('after');
    }
    expect(reads).toEqual([2, 2, 2, 89]);
    const elsewhere = { messageId, authors: ['100000000000002@lid'], editors: [lid] };
    expect(await openSealed('Message Edit', sealed, elsewhere, { data, now })).toBeUndefined();
  });

  it('of another length are not stored, and neither are those of nobody', () => {
    expect(secretChanges(messageId, { messageContextInfo: { messageSecret: randomBytes(31) } }, [lid], now)).toEqual(
      [],
    );
    expect(secretChanges(messageId, {}, [lid], now)).toEqual([]);
    expect(secretChanges(messageId, message, [], now)).toEqual([]);
  });
});
