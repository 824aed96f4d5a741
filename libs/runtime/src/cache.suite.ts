import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cache } from './cache.ts';

export interface CacheUnderTest {
  readonly cache: Cache;
  /** Another replica's view of the same store; the same cache where there is only one. */
  readonly other: Cache;
  /** Lets so many milliseconds pass, at least. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

const long = 600_000;

/** The promises of every cache. */
export function cacheSuite(adapter: string, open: () => Promise<CacheUnderTest>): void {
  describe(`the cache in ${adapter}`, () => {
    let under: CacheUnderTest;
    let cache: Cache;
    beforeAll(async () => {
      under = await open();
      ({ cache } = under);
    });
    afterAll(() => under.close());

    it('knows what was set, the last value of each key, and nothing else', async () => {
      const [one, two, none] = [randomUUID(), randomUUID(), randomUUID()];
      await cache.set(one, 'first', long);
      await cache.set(one, 'second', long);
      await cache.set(two, 'größer als ASCII\n\0"', long);
      expect(await cache.get(one)).toBe('second');
      expect(await cache.get(none)).toBeUndefined();
      expect(await cache.getMany([two, none, one, two])).toEqual([
        'größer als ASCII\n\0"',
        undefined,
        'second',
        'größer als ASCII\n\0"',
      ]);
      expect(await cache.getMany([])).toEqual([]);
    });

    it('keeps an empty value apart from none', async () => {
      const key = randomUUID();
      await cache.set(key, '', long);
      expect(await cache.get(key)).toBe('');
    });

    it('is the same for all replicas', async () => {
      const key = randomUUID();
      await cache.set(key, 'x', long);
      expect(await under.other.get(key)).toBe('x');
      await under.other.delete(key);
      expect(await cache.get(key)).toBeUndefined();
      expect(under.other.incarnation()).toBe(cache.incarnation());
      expect(cache.incarnation()).toMatch(/./);
    });

    it('forgets when the time to live is over, and not before', async () => {
      const [short, kept, never] = [randomUUID(), randomUUID(), randomUUID()];
      await cache.set(short, 'x', 40);
      await cache.set(kept, 'x', 40);
      await cache.set(kept, 'y', long);
      await cache.set(never, 'x', 0);
      expect(await cache.get(never)).toBeUndefined();
      await under.pass(60);
      expect(await cache.getMany([short, kept])).toEqual([undefined, 'y']);
    });

    it('deletes, and deleting nothing is no fault', async () => {
      const key = randomUUID();
      await cache.set(key, 'x', long);
      await cache.delete(key);
      await cache.delete(key);
      expect(await cache.get(key)).toBeUndefined();
    });

    it('counts, exactly, whoever counts', async () => {
      const key = randomUUID();
      const counts = await Promise.all(
        Array.from({ length: 60 }, (_, index) => (index % 2 ? cache : under.other).increment(key, long)),
      );
      expect(counts.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
      expect(await cache.get(key)).toBe('60');
    });

    it('lets the first count decide when the counter ends', async () => {
      const key = randomUUID();
      // Both at once: the second one comes before the counter ends.
      await Promise.all([cache.increment(key, 1_000), cache.increment(key, long)]);
      await under.pass(1_100);
      expect(await cache.increment(key, long)).toBe(1);
    });
  });
}
