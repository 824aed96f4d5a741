import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@messaging-gateway/runtime';
import * as fc from 'fast-check';
import { KeyedWork } from './keyed-work.ts';

const piece = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), turns: fc.nat(3), again: fc.nat(2) });

describe('keyed work', () => {
  it('is done once each, in order per key, within the limit, whatever has to be tried again', () =>
    fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), async (pieces, limit) => {
        const work = new KeyedWork(limit, systemClock);
        const done: number[] = [];
        let running = 0;
        await new Promise<void>((resolve) => {
          if (pieces.length === 0) resolve();
          pieces.forEach(({ key, turns, again }, n) => {
            let left = again;
            work.add(key, async () => {
              running += 1;
              expect(running).toBeLessThanOrEqual(limit);
              for (let turn = 0; turn < turns; turn++) await Promise.resolve();
              running -= 1;
              if (left-- > 0) return 0;
              if (done.push(n) === pieces.length) resolve();
              return undefined;
            });
          });
        });
        const inOrder = (key: string): number[] => pieces.flatMap((one, n) => (one.key === key ? [n] : []));
        for (const key of ['a', 'b', 'c', 'd'])
          expect(done.filter((n) => pieces[n]?.key === key)).toEqual(inOrder(key));
      }),
      { numRuns: 60 },
    ));

  it('begins nothing more after a stop, which waits for what runs', async () => {
    const work = new KeyedWork(1, systemClock);
    const done: string[] = [];
    work.add('a', async () => {
      await systemClock.sleep(5);
      done.push('first');
      return undefined;
    });
    work.add('a', async () => {
      done.push('second');
      return undefined;
    });
    await work.stop();
    expect(done).toEqual(['first']);
  });
});
