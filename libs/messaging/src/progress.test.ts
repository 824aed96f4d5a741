import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Progress } from './progress.ts';

describe('the progress of a consumer', () => {
  it('never passes an event that is not handled, and ends behind the last one', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(counts, fc.infiniteStream(fc.nat()), (events, random) => {
        const progress = new Progress<number>(undefined);
        const finish = events.map((count, n) => progress.begin(n + 1, count));
        const open = events.flatMap((count, n) => Array.from({ length: count }, () => n + 1));
        while (open.length > 0) {
          const [done] = open.splice((random.next().value as number) % open.length, 1);
          finish[(done as number) - 1]?.();
          const first = open.length === 0 ? events.length + 1 : Math.min(...open);
          expect(progress.place ?? 0).toBe(first - 1);
        }
        expect([progress.unfinished, progress.distance, progress.ageMs]).toEqual([0, 0, 0]);
      }),
    );
  });

  it('counts what is not handled, and how far it lies behind the last', () => {
    const progress = new Progress<number>(undefined);
    const finish = Array.from({ length: 6 }, (_, n) => progress.begin(n, 1));
    for (const n of [1, 3, 4, 5]) expect(finish[n]?.()).toBe(false);
    expect([progress.unfinished, progress.distance, progress.place]).toEqual([2, 6, undefined]);
    expect(finish[0]?.()).toBe(true);
    expect([progress.unfinished, progress.distance, progress.place]).toEqual([1, 4, 1]);
    expect(finish[2]?.()).toBe(true);
    expect([progress.unfinished, progress.distance, progress.place]).toEqual([0, 0, 5]);
  });
});
