import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAwake } from '../quiet-hours/quiet-hours.ts';
import { quietSpans } from './quiet-spans.ts';

const clockTime = fc
  .integer({ min: 0, max: 1439 })
  .map((minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`);
const zone = fc.constantFrom(
  'Asia/Jakarta',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/New_York',
  'Africa/Casablanca',
  'Europe/Berlin',
  'UTC',
);
const hour = 3_600_000;
const year = { min: Date.parse('2026-01-01'), max: Date.parse('2027-01-01') };

it('Quiet hours that are reckoned for many days are those of each moment, over changes of the clock too', () =>
  fc.assert(
    fc.property(
      clockTime,
      clockTime,
      fc.array(zone, { maxLength: 3 }),
      fc.option(zone),
      fc.integer(year),
      fc.array(fc.integer({ min: 0, max: 60 * 24 * hour - 1 }), { minLength: 20, maxLength: 20 }),
      (from, to, zones, all, begin, moments) => {
        const quiet = { from, to, timezone: all ?? 'recipient' };
        const key = zones.join(',');
        const spans = quietSpans(quiet, key, { from: begin, until: begin + 60 * 24 * hour });
        const edges = spans.flatMap((span) => [span.from, span.until]);
        // Each later than the one before.
        expect(edges).toEqual([...new Set(edges)].toSorted((one, other) => one - other));
        for (const moment of moments) {
          const time = begin + moment;
          const isQuiet = spans.some((span) => span.from <= time && time < span.until);
          expect([time, isQuiet]).toEqual([time, !isAwake(quiet, key, time)]);
        }
      },
    ),
  ));
