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

  it('begins many of one key, but nothing behind one that failed before that is through', async () => {
    const work = new KeyedWork(8, systemClock, 3);
    const log: string[] = [];
    const ends: (() => void)[] = [];
    const failures = new Map([
      [0, 2],
      [1, 1],
    ]);
    for (let n = 0; n < 6; n++) {
      work.add('k', async () => {
        log.push(`${n}`);
        await new Promise<void>((end) => (ends[n] = end));
        const left = failures.get(n) ?? 0;
        failures.set(n, left - 1);
        return left > 0 ? 0 : undefined;
      });
    }
    const end = async (...pieces: readonly number[]): Promise<string> => {
      for (const n of pieces) ends[n]?.();
      await systemClock.sleep(5);
      return log.splice(0).join(' ');
    };
    expect(await end()).toBe('0 1 2');
    expect(await end(1)).toBe('');
    expect(await end(2)).toBe('');
    expect(await end(0)).toBe('0');
    expect(await end(0)).toBe('0');
    expect(await end(0)).toBe('1 3 4');
    expect(await end(3, 1, 4)).toBe('5');
    await end(5);
  });

  it('gives each key its turn, however many pieces another one has', async () => {
    const work = new KeyedWork(2, systemClock, 2);
    const begun: string[] = [];
    const one = (name: string) => async (): Promise<undefined> => {
      begun.push(name);
      await Promise.resolve();
    };
    for (let n = 0; n < 10; n++) work.add('busy', one('busy'));
    work.add('quiet', one('quiet'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun.indexOf('quiet')).toBeLessThan(4);
    expect(begun).toHaveLength(11);
  });

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
