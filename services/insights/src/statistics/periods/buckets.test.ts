import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bucketsOf, type Granularity } from './buckets.ts';
import { dateAt } from './zone.ts';

const hour = 3_600_000;
const iso = (zone: string, granularity: Granularity, from: string, to: string): string[] =>
  bucketsOf(zone, granularity, Date.parse(from), Date.parse(to)).map((time) => new Date(time).toISOString());

describe('buckets of a period', () => {
  it('are the days of a zone, of 23 and 25 hours too', () => {
    expect(iso('Europe/Berlin', 'day', '2026-03-28T23:00Z', '2026-03-30T22:00Z')).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(iso('Europe/Berlin', 'day', '2026-10-24T22:00Z', '2026-10-26T23:00Z')).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
    expect(iso('Europe/Berlin', 'hour', '2026-03-28T23:00Z', '2026-03-29T22:00Z')).toHaveLength(23);
    expect(iso('Europe/Berlin', 'hour', '2026-10-24T22:00Z', '2026-10-25T23:00Z')).toHaveLength(25);
  });

  it('are those of Kathmandu, at 18:15', () => {
    expect(iso('Asia/Kathmandu', 'day', '2026-12-31T10:00Z', '2027-01-01T18:16Z')).toEqual([
      '2026-12-30T18:15:00.000Z',
      '2026-12-31T18:15:00.000Z',
      '2027-01-01T18:15:00.000Z',
    ]);
    expect(iso('Asia/Kathmandu', 'hour', '2026-12-31T10:00Z', '2026-12-31T11:16Z')).toEqual([
      '2026-12-31T09:15:00.000Z',
      '2026-12-31T10:15:00.000Z',
      '2026-12-31T11:15:00.000Z',
    ]);
  });

  it('are those of Lord Howe, whose clocks change by half an hour', () => {
    expect(iso('Australia/Lord_Howe', 'hour', '2026-10-03T15:00Z', '2026-10-03T17:00Z')).toEqual([
      '2026-10-03T14:30:00.000Z',
      '2026-10-03T15:30:00.000Z',
      '2026-10-03T16:00:00.000Z',
    ]);
    expect(iso('Australia/Lord_Howe', 'hour', '2026-04-04T14:30Z', '2026-04-04T17:00Z')).toEqual([
      '2026-04-04T14:00:00.000Z',
      '2026-04-04T15:00:00.000Z',
      '2026-04-04T15:30:00.000Z',
      '2026-04-04T16:30:00.000Z',
    ]);
    expect(iso('Australia/Lord_Howe', 'day', '2026-10-03T13:30Z', '2026-10-04T13:00Z')).toEqual([
      '2026-10-03T13:30:00.000Z',
    ]);
  });

  it('are weeks from Monday, over the turn of a year too', () => {
    expect(iso('Europe/Berlin', 'week', '2026-12-31T10:00Z', '2027-01-04T10:00Z')).toEqual([
      '2026-12-27T23:00:00.000Z',
      '2027-01-03T23:00:00.000Z',
    ]);
    expect(iso('UTC', 'week', '2027-01-03T23:59Z', '2027-01-04T00:00Z')).toEqual(['2026-12-28T00:00:00.000Z']);
  });

  it('begin where a day has no midnight, and leave out a day that never was', () => {
    expect(iso('America/Sao_Paulo', 'day', '2018-11-04T12:00Z', '2018-11-04T13:00Z')).toEqual([
      '2018-11-04T03:00:00.000Z',
    ]);
    expect(iso('Pacific/Apia', 'day', '2011-12-29T11:00Z', '2011-12-31T09:00Z')).toEqual([
      '2011-12-29T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
    ]);
  });

  it('cover the period without a gap, whatever the zone, and none is longer than it may be', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const begins = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2027, 0) });
    const lengths = fc.integer({ min: 1, max: 20 * 24 * hour });
    fc.assert(
      fc.property(zones, begins, lengths, fc.constantFrom('hour', 'day', 'week'), (zone, from, length, granularity) => {
        const found = bucketsOf(zone, granularity, from, from + length);
        expect(found[0]).toBeLessThanOrEqual(from);
        expect(found.at(-1)).toBeLessThan(from + length);
        const longest = { hour, day: 25 * hour, week: 7 * 24 * hour + hour }[granularity];
        [...found, from + length].reduce((before, time) => {
          expect(time).toBeGreaterThan(before);
          expect(time - before).toBeLessThanOrEqual(longest);
          return time;
        });
        const isFirstOfDay = (begin: number): boolean => dateAt(zone, begin - 1000) < dateAt(zone, begin);
        expect(granularity === 'hour' || found.every(isFirstOfDay)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
