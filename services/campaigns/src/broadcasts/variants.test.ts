import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dealing, shares } from './variants.ts';

const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 5 });
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe('shares by weight', () => {
  it('add up, and each is its exact part or the next whole number', () =>
    fc.assert(
      fc.property(weights, fc.nat(100_000), (given, total) => {
        const parts = shares(given, total);
        expect(sum(parts)).toBe(total);
        for (const [index, part] of parts.entries()) {
          const exact = ((given[index] ?? 0) * total) / sum(given);
          expect(part).toBeGreaterThanOrEqual(Math.floor(exact));
          expect(part).toBeLessThanOrEqual(Math.ceil(exact));
        }
      }),
    ));

  it('give what is left to the largest remainders', () => {
    expect(shares([2, 1], 10)).toEqual([7, 3]);
    expect(shares([1, 1, 1], 2)).toEqual([1, 1, 0]);
  });

  it('are dealt out exactly, and evenly mixed', () =>
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 2000 }), (given, total) => {
        const parts = shares(given, total);
        const deal = dealing(parts);
        const dealt = parts.map(() => 0);
        let farthest = 0;
        for (let turn = 1; turn <= total; turn += 1) {
          const index = deal();
          dealt[index] = (dealt[index] ?? 0) + 1;
          for (const [which, part] of parts.entries())
            farthest = Math.max(farthest, Math.abs((dealt[which] ?? 0) - (part * turn) / total));
        }
        expect(farthest).toBeLessThan(parts.length);
        expect(dealt).toEqual(parts);
      }),
      { numRuns: 50 },
    ));
});
