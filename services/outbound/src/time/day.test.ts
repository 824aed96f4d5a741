import { describe, expect, it } from '@jest/globals';
import { dayOf, jakartaTimestamp, nextReset } from './clock.ts';

const lastMoment = Date.parse('2026-01-01T16:59:59.999Z');
const midnight = Date.parse('2026-01-01T17:00:00.000Z');

describe('the day of the daily limit', () => {
  it('changes at 00:00 in Asia/Jakarta, which is 17:00 UTC', () => {
    expect(dayOf(lastMoment)).toBe('2026-01-01');
    expect(dayOf(midnight)).toBe('2026-01-02');
  });

  it('resets at the next midnight, never now', () => {
    expect(nextReset(lastMoment)).toBe(midnight);
    expect(nextReset(midnight)).toBe(midnight + 24 * 3_600_000);
  });

  it('is told with the offset of Jakarta', () => {
    expect(jakartaTimestamp(midnight)).toBe('2026-01-02T00:00:00+07:00');
  });
});
