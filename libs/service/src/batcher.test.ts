import { describe, expect, it } from '@jest/globals';
import { Unavailable } from '@messaging-gateway/runtime';
import * as fc from 'fast-check';
import { Batcher } from './batcher.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('items that are gathered', () => {
  it('are written in their order, one write at a time, each answered with its own result', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 10 }),
        async (pauses, limit) => {
          const written: number[] = [];
          let writing = 0;
          const batcher = new Batcher<number, number>(async (items) => {
            expect(items.length).toBeLessThanOrEqual(limit);
            expect((writing += 1)).toBe(1);
            await turn();
            written.push(...items);
            writing -= 1;
            return items.map((item) => item * 2);
          }, limit);
          const results: Promise<number>[] = [];
          for (const [item, pause] of pauses.entries()) {
            results.push(batcher.add(item));
            for (let n = 0; n < pause; n++) await turn();
          }
          expect(await Promise.all(results)).toEqual(pauses.map((_, item) => item * 2));
          await batcher.idle();
          expect(written).toEqual(pauses.map((_, item) => item));
        },
      ),
      { numRuns: 50 },
    ));

  it('wait for no pause when they fill a write', async () => {
    const writes: number[] = [];
    const batcher = new Batcher<string, string>(
      async (items) => {
        writes.push(items.length);
        return items;
      },
      3,
      3_600_000,
    );
    expect(await batcher.add('a')).toBe('a');
    expect(await Promise.all(['b', 'c', 'd'].map((item) => batcher.add(item)))).toEqual(['b', 'c', 'd']);
    const first = batcher.add('e');
    await turn();
    await turn();
    expect(writes).toEqual([1, 3]);
    await Promise.all([first, batcher.add('f'), batcher.add('g')]);
    expect(writes).toEqual([1, 3, 3]);
  });

  it('fail alone when one of them cannot be written', async () => {
    const batcher = new Batcher<string, string>(async (items) => {
      if (items.includes('bad')) throw new Error('unwritable');
      return items;
    }, 10);
    const results = await Promise.allSettled(['a', 'bad', 'b'].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fail with those behind them that have their key, however these wait', async () => {
    const written: string[] = [];
    const batcher = new Batcher<string, void>(
      async (items) => {
        await turn();
        if (items.includes('a2')) throw new Error('unwritable');
        written.push(...items);
        return [];
      },
      4,
      0,
      ([key = '']) => key,
    );
    const items = ['a1', 'b1', 'a2', 'a3', 'b2', 'a4', 'b3'];
    const results = await Promise.allSettled(items.map((item) => batcher.add(item)));
    expect(written).toEqual(['a1', 'b1', 'b2', 'b3']);
    const reasons = results.map((result) => (result.status === 'rejected' ? (result.reason as Error).name : 'written'));
    expect(reasons).toEqual(['written', 'written', 'Error', 'Unavailable', 'written', 'Unavailable', 'written']);
  });

  it('fail together when the database is away', async () => {
    let writes = 0;
    const batcher = new Batcher<string, string>(async () => {
      writes += 1;
      throw new Unavailable('away');
    }, 10);
    const results = await Promise.allSettled(['a', 'b', 'c'].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(writes).toBe(1);
  });

  it('writes what comes at whichever moment of the end of a write', async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      const batcher = new Batcher(async (items: readonly number[]) => items, 10);
      await batcher.add(0);
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const late = new Promise((resolve) => setTimeout(() => resolve(`not written after ${turns} turns`), 200));
      expect(await Promise.race([batcher.add(1), late])).toBe(1);
    }
  });
});
