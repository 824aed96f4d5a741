import { expect, it } from '@jest/globals';
import { backoffMs } from './login.ts';

it('doubles up to a minute, with jitter of a half', () => {
  expect([0, 1, 2, 7, 500].map((attempt) => backoffMs(attempt, 1))).toEqual([500, 1_000, 2_000, 60_000, 60_000]);
  expect(backoffMs(3, 0)).toBe(2_000);
  for (let n = 0; n < 100; n += 1) expect(backoffMs(n % 10)).toBeGreaterThan(200);
});
