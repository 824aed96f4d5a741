import { describe, expect, it } from '@jest/globals';
import { bucketNames, dayIn, daysAfter } from './buckets.ts';

describe('buckets', () => {
  it('are named in the zone by which they were counted', () => {
    const names = bucketNames('en', 'Asia/Jakarta', 'day');
    expect(names('2026-11-23T17:00:00.000Z')).toEqual({ label: 'Nov 24, 2026', short: 'Nov 24' });
    expect(bucketNames('en', 'Asia/Jakarta', 'hour')('2026-11-23T17:00:00.000Z').label).toMatch(/^Nov 24, 2026, 12:00/);
  });

  it.each(['en', 'id', 'ar'] as const)('have Latin digits in %s', (language) =>
    expect(bucketNames(language, 'UTC', 'day')('2026-11-24T00:00:00.000Z').label).toMatch(/24/),
  );

  it('begin with days of a zone, and end behind them', () => {
    expect(dayIn('Asia/Jakarta', Date.parse('2026-11-23T17:00:00Z'))).toBe('2026-11-24');
    expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01');
    expect(daysAfter('nonsense', 1)).toBe('nonsense');
  });
});
