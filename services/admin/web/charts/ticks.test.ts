import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ticks } from './ticks.ts';

describe('lines of a chart', () => {
  it.each([
    [0, [0, 1]],
    [Number.NaN, [0, 1]],
    [4, [0, 1, 2, 3, 4]],
    [7, [0, 2, 4, 6, 8]],
    [97, [0, 50, 100]],
    [180, [0, 50, 100, 150, 200]],
    [0.3, [0, 0.1, 0.2, 0.3]],
  ])('of %d are %j', (highest, lines) => expect(ticks(highest)).toEqual(lines));

  it('begin at 0, are few, and nothing is above them', () =>
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), (highest) => {
        const lines = ticks(highest);
        const top = lines.at(-1) ?? 0;
        expect(lines[0]).toBe(0);
        expect(top).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
        expect(lines.length).toBeLessThanOrEqual(6);
      }),
    ));
});
