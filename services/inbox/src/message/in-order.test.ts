import { describe, expect, it } from '@jest/globals';
import { inOrder } from './in-order.ts';

describe('work in order', () => {
  it('is done one after the other per key, whatever fails', async () => {
    const hand = inOrder();
    const log: string[] = [];
    const work = (name: string, turns: number) => async () => {
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      log.push(name);
      if (name === 'a1') throw new Error('failed');
      return name;
    };
    const outcomes = await Promise.allSettled([
      hand('a', work('a1', 9)),
      hand('a', work('a2', 1)),
      hand('b', work('b1', 1)),
    ]);
    expect(log).toEqual(['b1', 'a1', 'a2']);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });
});
