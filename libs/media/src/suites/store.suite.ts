import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mediaKey } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import type { MediaStore } from '../store.ts';
import { generated, png, sourceOf } from './sources.ts';
import { dieWhileWriting, type WriterStore } from './dying-writer.ts';
import { throughStore } from './large-object.ts';

const MiB = 1024 * 1024;

/** A store under test, and how another process reaches it. */
export interface StoreUnderTest {
  readonly store: MediaStore;
  readonly writer: WriterStore;
  close(): Promise<void>;
}

/** The promises of every store of media. */
export function mediaStoreSuite(open: () => Promise<StoreUnderTest>): void {
  let under: StoreUnderTest;
  let store: MediaStore;
  const organizationId = v7();
  const newKey = (profileId?: string): string =>
    mediaKey({ organizationId, ...(profileId !== undefined && { profileId }) }, v7());
  const read = async (key: string): Promise<Buffer | undefined> => {
    const found = await store.get(key);
    return found && buffer(found.stream);
  };

  beforeAll(async () => {
    under = await open();
    ({ store } = under);
  });
  afterAll(() => under.close());

  describe('an object', () => {
    it('comes back as it was put, with its type read from the bytes, its size and its hash', async () => {
      const key = newKey();
      const bytes = png(50_000);
      const stored = await store.put(key, sourceOf(bytes, 7_000), {
        filename: 'Grüße/../x.png',
        mimetype: 'text/html',
      });
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(stored).toEqual({ key, size: 50_000, mimetype: 'image/png', sha256 });
      const facts = { size: 50_000, mimetype: 'image/png', filename: 'Grüße/../x.png' };
      expect(await store.facts(key)).toEqual(facts);
      const { stream, ...found } = (await store.get(key)) ?? {};
      expect(found).toEqual(facts);
      expect((await buffer(stream as never)).equals(bytes)).toBe(true);
    });

    it('may have any name', async () => {
      const key = newKey();
      await store.put(key, sourceOf(png(100)), { filename: `${'漢'.repeat(3_000)}\ud83d.pdf` });
      expect((await store.facts(key))?.filename).toMatch(/^漢{150,}.*\.pdf$/);
    });

    it('can be empty', async () => {
      const key = newKey();
      expect(await store.put(key, sourceOf(Buffer.alloc(0)))).toMatchObject({ size: 0 });
      expect(await read(key)).toEqual(Buffer.alloc(0));
    });

    it('is read in parts, with its whole size', async () => {
      const key = newKey();
      const bytes = randomBytes(100_000);
      await store.put(key, sourceOf(bytes));
      for (const [start, end] of [
        [0, 0],
        [99_990, 99_999],
        [10, 70_000],
      ] as const) {
        const part = await store.get(key, { start, end });
        expect(part?.size).toBe(100_000);
        expect((await buffer(part?.stream as never)).equals(bytes.subarray(start, end + 1))).toBe(true);
      }
    });

    it('that nobody stored is not there', async () => {
      expect(await store.get(newKey())).toBeUndefined();
      expect(await store.facts(newKey())).toBeUndefined();
      await store.delete(newKey());
    });

    it('is gone once it is deleted', async () => {
      const key = newKey();
      await store.put(key, sourceOf(png(100)));
      await store.delete(key);
      expect(await store.get(key)).toBeUndefined();
    });

    it.each(['../../etc/passwd', `${v7()}/uploads/../x`, `${v7()}/uploads/`, '/etc/passwd', ''])(
      'is never called %p',
      async (key) => {
        await expect(store.put(key, sourceOf(png(100)))).rejects.toThrow('not a key');
        await expect(store.get(key)).rejects.toThrow('not a key');
        await expect(store.delete(key)).rejects.toThrow('not a key');
        await expect(store.deleteAll(key)).rejects.toThrow('not a prefix');
      },
    );
  });

  describe('an object whose writing does not end well', () => {
    it('is not stored when it is larger than allowed', async () => {
      const key = newKey();
      await expect(store.put(key, generated(12 * MiB), { limit: 11 * MiB })).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        message: expect.stringContaining('11 MiB'),
      });
      expect(await store.get(key)).toBeUndefined();
    });

    it('is limited by its kind', async () => {
      const key = newKey();
      await expect(store.put(key, sourceOf(png(16 * MiB + 1), 65_536))).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
      });
      expect(await store.get(key)).toBeUndefined();
    });

    it('is not stored when its source breaks', async () => {
      const key = newKey();
      const broken = generated(20 * MiB, 8 * MiB);
      await expect(store.put(key, broken)).rejects.toThrow('the source broke');
      expect(await store.get(key)).toBeUndefined();
    });

    it('is not seen when the writer is killed in the middle', async () => {
      const key = newKey();
      await dieWhileWriting(under.writer, key, 12 * MiB);
      expect(await store.get(key)).toBeUndefined();
      expect(await store.facts(key)).toBeUndefined();
      await store.put(key, sourceOf(png(100)));
      expect((await read(key))?.length).toBe(100);
    });
  });

  it('holds no more than some parts of a large object in memory', async () => {
    const { stored, storedHash, readHash, most } = await throughStore(under.writer, newKey(), 64 * MiB);
    expect(stored).toBe(64 * MiB);
    expect(readHash).toBe(storedHash);
    expect(most).toBeLessThan(32 * MiB);
  });

  describe('an object that is no longer wanted', () => {
    it('is deleted by profile and by organization, and nothing else is', async () => {
      const [profile, other] = [v7(), v7()];
      const keys = { one: newKey(profile), two: newKey(other), three: newKey() };
      const foreign = mediaKey({ organizationId: v7() }, v7());
      for (const key of [...Object.values(keys), foreign]) await store.put(key, sourceOf(png(100)));
      await store.deleteAll(`${organizationId}/${profile}`);
      expect(await store.get(keys.one)).toBeUndefined();
      expect((await read(keys.two))?.length).toBe(100);
      await store.deleteAll(organizationId);
      expect(await store.get(keys.two)).toBeUndefined();
      expect(await store.get(keys.three)).toBeUndefined();
      expect((await read(foreign))?.length).toBe(100);
      await store.deleteAll(v7());
    });

    it('goes with time when it was an upload', async () => {
      const [upload, received] = [newKey(), newKey(v7())];
      for (const key of [upload, received]) await store.put(key, sourceOf(png(100)));
      await store.tidy(new Date(Date.now() - 3_600_000));
      expect((await read(upload))?.length).toBe(100);
      expect(await store.tidy(new Date(Date.now() + 3_600_000))).toBeGreaterThan(0);
      expect(await store.get(upload)).toBeUndefined();
      expect((await read(received))?.length).toBe(100);
    });
  });
}
