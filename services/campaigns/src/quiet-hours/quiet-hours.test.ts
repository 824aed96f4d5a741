import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changesAt, isAwake, wakesAt } from './quiet-hours.ts';
import { zoneKeyOf } from './zones.ts';

const night = { from: '21:00', to: '08:00', timezone: 'recipient' };
const at = (text: string): number => Date.parse(text);

describe('time zones of a person', () => {
  it('are those of the contact, else all of the country of the number', () => {
    expect(zoneKeyOf({ phone: '4915112345678', timezone: 'Asia/Tokyo' })).toBe('Asia/Tokyo');
    expect(zoneKeyOf({ phone: '4915112345678', timezone: 'Mars/Olympus' })).toContain('Europe/Berlin');
    expect(zoneKeyOf({ phone: '628123456789', timezone: undefined }).split(',')).toEqual([
      'Asia/Jakarta',
      'Asia/Jayapura',
      'Asia/Makassar',
      'Asia/Pontianak',
    ]);
    expect(zoneKeyOf({ phone: null, timezone: 7 })).toBe('');
    expect(zoneKeyOf({ phone: null, timezone: '+05:00' })).toBe('');
  });
});

describe('quiet hours', () => {
  it('end when it is morning in all zones of the person', () => {
    const indonesia = zoneKeyOf({ phone: '628123456789', timezone: undefined });
    // 08:00 in Jakarta, the last of them.
    expect(wakesAt(night, indonesia, at('2026-01-01T20:00:00Z'))).toBe(at('2026-01-02T01:00:00Z'));
    // 21:00 in Jayapura, the first of them.
    expect(changesAt(night, indonesia, at('2026-01-01T10:00:00Z'))).toBe(at('2026-01-01T12:00:00Z'));
  });

  it('go by the given zone for everybody, over a change of the clock too', () => {
    const berlin = { ...night, timezone: 'Europe/Berlin' };
    expect(isAwake(berlin, 'Asia/Tokyo', at('2026-01-01T12:00:00Z'))).toBe(true);
    // The night of summer time: 08:00 is 06:00 UTC.
    expect(wakesAt(berlin, '', at('2026-03-28T22:00:00Z'))).toBe(at('2026-03-29T06:00:00Z'));
    expect(wakesAt(berlin, '', at('2026-10-24T22:00:00Z'))).toBe(at('2026-10-25T07:00:00Z'));
  });

  it('are no time at all without any, and never end when all of the day is quiet somewhere', () => {
    expect(isAwake(undefined, '', 0)).toBe(true);
    expect(changesAt(undefined, '', 0)).toBe(Infinity);
    const always = { from: '00:00', to: '12:00', timezone: 'recipient' };
    expect(wakesAt(always, 'Pacific/Auckland,Pacific/Marquesas,Europe/Berlin,Asia/Tokyo,America/Los_Angeles', 0)).toBe(
      Infinity,
    );
  });

  it('change where they say, and not before', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: 0, max: 1439 }),
        fc.constantFrom('Asia/Kathmandu', 'Australia/Lord_Howe', 'America/New_York', 'UTC'),
        fc.integer({ min: at('2026-01-01'), max: at('2027-01-01') }),
        (from, to, zone, time) => {
          fc.pre(from !== to);
          const clock = (minutes: number): string =>
            `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
          const quiet = { from: clock(from), to: clock(to), timezone: zone };
          const change = changesAt(quiet, '', time);
          expect(isAwake(quiet, '', change)).toBe(!isAwake(quiet, '', time));
          expect(isAwake(quiet, '', Math.max(time, change - 1))).toBe(isAwake(quiet, '', time));
        },
      ),
      { numRuns: 100 },
    ));
});
