import { wallInstant } from '@messaging-gateway/runtime';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Timetable } from './timetable.ts';
import { instantAt } from './zone-time.ts';

const firings = (cron: string, zone: string, from: string, number: number): string[] => {
  const timetable = new Timetable(cron, zone);
  const found: string[] = [];
  for (let at = timetable.next(Date.parse(from)); at !== undefined && found.length < number; at = timetable.next(at))
    found.push(new Date(at).toISOString().slice(0, 16));
  return found;
};

describe('a timetable', () => {
  it.each([
    // Berlin puts its clocks forward from 02:00 to 03:00 on 29 March: that is 01:00 in UTC.
    ['30 2 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    ['*/30 2 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:00', '2026-03-30T00:30']],
    [
      '0,30 1-3 29 3 *',
      '2026-03-28T12:00Z',
      ['2026-03-29T00:00', '2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30'],
    ],
    ['*/30 * * * *', '2026-03-29T00:00Z', ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30']],
    // And back from 03:00 to 02:00 on 25 October, at 01:00 in UTC.
    ['30 2 * * *', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    ['0 * * * *', '2026-10-24T23:30Z', ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00']],
    ['0 9 29 2 *', '2026-01-01T00:00Z', ['2028-02-29T08:00', '2032-02-29T08:00']],
  ])('%s after %s', (cron, from, expected) => {
    expect(firings(cron, 'Europe/Berlin', from, expected.length)).toEqual(expected);
  });

  it.each(['@daily', '* * * * * *', '1 2 3', '60 * * * *', 'H * * * *', '*/0 * * * *', ''])('refuses %s', (cron) => {
    expect(() => new Timetable(cron, 'UTC')).toThrow('five fields');
  });

  it('knows what never fires', () => {
    expect(new Timetable('0 9 31 2 *', 'Asia/Jakarta').next(Date.now())).toBeUndefined();
  });

  it('finds the last firing of some time', () => {
    const timetable = new Timetable('*/5 * * * *', 'UTC');
    const at = (text: string): number => Date.parse(`2026-01-01T${text}Z`);
    expect(timetable.last(at('09:00'), at('09:17'))).toBe(at('09:15'));
    expect(timetable.last(at('09:00'), at('09:05'))).toBe(at('09:05'));
    expect(timetable.last(at('09:00'), at('09:04'))).toBeUndefined();
  });

  it('goes on only, and shows what the cron says', () => {
    const minute = fc.integer({ min: 0, max: 59 });
    const hour = fc.integer({ min: 0, max: 23 });
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Jakarta', 'UTC');
    const from = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) });
    fc.assert(
      fc.property(minute, hour, zone, from, (m, h, name, after) => {
        const at = new Timetable(`${m} ${h} * * *`, name).next(after) as number;
        expect(at).toBeGreaterThan(after);
        expect(at - after).toBeLessThanOrEqual(26 * 3_600_000);
        const wall = new Date(wallInstant(name, at));
        const shown = wall.getUTCHours() * 60 + wall.getUTCMinutes();
        // It shows that time, or the clocks were put forward over it.
        const isPutForward = wallInstant(name, at - 1) < wallInstant(name, at) - 60_000;
        expect(shown === h * 60 + m || isPutForward).toBe(true);
        expect(instantAt(name, wallInstant(name, at))).toBe(at);
      }),
      { numRuns: 200 },
    );
  });
});
