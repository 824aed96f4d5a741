import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAwake } from '../quiet-hours/quiet-hours.ts';
import type { ZoneCount } from './crowd.ts';
import { dateOf, limitDay } from './days.ts';
import { forecast, type ForecastFacts, type Sending } from './forecast.ts';
import { sentOneByOne } from './message-by-message.fixture.ts';

const second = 1000;
const hour = 3_600_000;
const at = (text: string): number => Date.parse(text);
/** 09:00 in Jakarta. */
const morning = at('2026-03-02T02:00:00Z');
const night = { from: '21:00', to: '08:00', timezone: 'Asia/Jakarta' };

const zoneOf = (count: number, zone = '', first = 0): ZoneCount => ({ zone, count, first, last: first + count - 1 });
const sending = (count: number, given: Partial<Sending> = {}): Sending => ({
  delayMin: 9 * second,
  delayMax: 11 * second,
  zones: [zoneOf(count)],
  readyAt: 0,
  ...given,
});
const factsOf = (own: Sending, given: Partial<ForecastFacts> = {}): ForecastFacts => ({
  now: morning,
  own,
  onTheWay: 0,
  rivals: [],
  messageDelayMs: 0,
  sendMs: 0,
  dailyLimit: null,
  usedToday: 0,
  isConnected: true,
  ...given,
});
const of = (count: number, own: Partial<Sending> = {}, given: Partial<ForecastFacts> = {}) =>
  forecast(factsOf(sending(count, own), given));

describe('a forecast', () => {
  it('of a broadcast without anything else is the sum of its delays', () => {
    expect(of(361)).toEqual({
      remaining: 361,
      endsAt: morning + hour,
      days: [{ date: '2026-03-02', messages: 361 }],
      heldUpBy: ['delays'],
    });
    expect(of(0)).toEqual({ remaining: 0, endsAt: undefined, days: [], heldUpBy: [] });
  });

  it('goes by the gate where that is slower than the delays', () => {
    expect(of(11, { delayMin: 0, delayMax: 0 }, { messageDelayMs: 1500 }).endsAt).toBe(morning + 15 * second);
    // One half of the delays is below the gate.
    const { endsAt = 0 } = of(1001, { delayMin: 0, delayMax: 2 * second }, { messageDelayMs: 1000 });
    expect(endsAt - morning).toBe(1_250 * second);
  });

  it('keeps to what is left of the limit, day by day of Jakarta', () => {
    expect(of(250, {}, { dailyLimit: 100, usedToday: 40 })).toEqual({
      remaining: 250,
      endsAt: at('2026-03-03T17:00:00Z') + 89 * 10 * second,
      days: [
        { date: '2026-03-02', messages: 60 },
        { date: '2026-03-03', messages: 100 },
        { date: '2026-03-04', messages: 90 },
      ],
      heldUpBy: ['delays', 'daily_limit'],
    });
  });

  it('sends nothing in quiet hours, and whoever is awake first', () => {
    const zones = [
      { ...zoneOf(3000, 'Asia/Jakarta'), last: 5999 },
      { ...zoneOf(3000, 'America/New_York'), last: 5999 },
    ];
    const quietHours = { ...night, timezone: 'recipient' };
    // Jakarta has had it by 10:20 UTC, New York is awake from 13:00 UTC.
    expect(of(0, { zones, quietHours })).toEqual({
      remaining: 6000,
      endsAt: at('2026-03-02T21:19:50Z'),
      days: [
        { date: '2026-03-02', messages: 3000 + 1440 },
        { date: '2026-03-03', messages: 1560 },
      ],
      heldUpBy: ['delays', 'quiet_hours'],
    });
    expect(of(6000, { quietHours: night })).toMatchObject({
      days: [{ messages: 4320 }, { messages: 1680 }],
      heldUpBy: ['delays', 'quiet_hours'],
    });
  });

  it('says that it never ends, and why', () => {
    expect(of(5, {}, { dailyLimit: 0 })).toMatchObject({
      endsAt: undefined,
      days: [],
      heldUpBy: ['delays', 'daily_limit'],
    });
    const zones = [zoneOf(2), zoneOf(2, 'Pacific/Auckland,Pacific/Marquesas,Europe/Berlin,Asia/Tokyo', 2)];
    const quietHours = { from: '00:00', to: '14:00', timezone: 'recipient' };
    const { days, ...rest } = of(0, { zones, quietHours });
    expect(rest).toEqual({ remaining: 4, endsAt: undefined, heldUpBy: ['delays', 'quiet_hours'] });
    expect(days).toEqual([{ date: '2026-03-02', messages: 2 }]);
  });

  it('shares gate and limit with other broadcasts, until they have ended', () => {
    const fast = { delayMin: 0, delayMax: 0 };
    const rivals = [sending(100, fast)];
    const own = of(300, fast, { messageDelayMs: second, rivals });
    expect(own.heldUpBy).toEqual(['delays', 'broadcasts']);
    expect(((own.endsAt ?? 0) - morning) / 400_000).toBeCloseTo(1, 1);
    const limited = of(300, fast, { messageDelayMs: second, rivals: [sending(1000, fast)], dailyLimit: 100 });
    expect(limited.days.map(({ messages }) => messages)).toEqual([50, 50, 50, 50, 50, 50]);
    expect(limited.heldUpBy).toEqual(['delays', 'daily_limit', 'broadcasts']);
  });

  it('of one that is scheduled begins then; what is on its way counts as today', () => {
    const later = of(2, { readyAt: morning + 24 * hour });
    expect(later).toMatchObject({
      endsAt: morning + 24 * hour + 10 * second,
      days: [{ date: '2026-03-03', messages: 2 }],
    });
    expect(of(2, {}, { onTheWay: 1, isConnected: false })).toMatchObject({
      remaining: 3,
      days: [{ messages: 3 }],
      heldUpBy: ['delays', 'not_connected'],
    });
  });

  it('of years goes by weeks, and by no more than ten years', () => {
    const long = of(100_000, {}, { dailyLimit: 50 });
    expect(long.days).toHaveLength(2000);
    expect(new Date(long.endsAt ?? 0).getUTCFullYear()).toBe(2031);
    expect(of(100_000, {}, { dailyLimit: 1 }).endsAt).toBeUndefined();
  });

  it('is within five in a hundred of broadcasts that are gone through message by message', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const zones = ['Asia/Jakarta', 'Europe/Berlin', 'America/New_York'].map((zone, index) => ({
      ...zoneOf(160 + 40 * index, zone),
      last: 599,
    }));
    const recipients = { ...night, timezone: 'recipient' };
    const slow = { delayMin: 3 * second, delayMax: 10 * second };
    const cases: [Sending, Partial<ForecastFacts>][] = [
      [
        sending(0, { zones, quietHours: recipients, delayMin: 100 * second, delayMax: 400 * second }),
        { dailyLimit: 180 },
      ],
      [sending(1000, slow), { rivals: [sending(700, slow)], messageDelayMs: 1500 }],
      [sending(1000, slow), { rivals: [sending(200), sending(2000, slow)], messageDelayMs: 4000, sendMs: 300 }],
      [
        sending(500, { ...slow, quietHours: night }),
        { rivals: [sending(0, { zones, quietHours: recipients })], dailyLimit: 400, usedToday: 200, sendMs: 500 },
      ],
    ];
    for (const [own, given] of cases) {
      const facts = factsOf(own, given);
      const times = sentOneByOne(facts, random);
      const { endsAt = 0 } = forecast(facts);
      const took = (times.at(-1) ?? 0) - facts.now;
      expect(Math.abs(endsAt - facts.now - took) / took).toBeLessThan(0.05);
    }
  });
});

const zoneKeys = ['', 'Asia/Jakarta', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo,Asia/Jakarta'];
const zones = fc
  .array(fc.tuple(fc.constantFrom(...zoneKeys), fc.integer({ min: 1, max: 4000 })), { minLength: 1, maxLength: 4 })
  .map((pairs) => {
    const all = [...new Map(pairs)];
    const last = all.reduce((sum, [, count]) => sum + count, 0) - 1;
    return all.map(([zone, count]) => ({ zone, count, first: 0, last }));
  });
const quietHours = fc.option(fc.constantFrom(night, { ...night, timezone: 'recipient' }), { nil: undefined });
const anySending = fc.record({
  delayMin: fc.integer({ min: 0, max: 5000 }),
  delayMax: fc.integer({ min: 5000, max: 90_000 }),
  zones,
  quietHours,
  readyAt: fc.integer({ min: morning - hour, max: morning + 30 * hour }),
});
const anyFacts = fc.record({
  now: fc.integer({ min: morning, max: morning + 24 * hour }),
  own: anySending,
  onTheWay: fc.constant(0),
  rivals: fc.array(anySending, { maxLength: 2 }),
  messageDelayMs: fc.integer({ min: 0, max: 5000 }),
  sendMs: fc.integer({ min: 0, max: 1000 }),
  dailyLimit: fc.option(fc.integer({ min: 1, max: 5000 })),
  usedToday: fc.integer({ min: 0, max: 5000 }),
  isConnected: fc.boolean(),
});

describe('every forecast', () => {
  it('has days that add up, none above the limit, in order', () =>
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { remaining, endsAt, days } = forecast(facts);
        expect(remaining).toBe(facts.own.zones.reduce((sum, { count }) => sum + count, 0));
        if (endsAt === undefined) return;
        expect(days.reduce((sum, { messages }) => sum + messages, 0)).toBe(remaining);
        const limit = facts.dailyLimit ?? Infinity;
        const today = dateOf(limitDay(facts.now));
        for (const { date, messages } of days) {
          expect(messages).toBeGreaterThan(0);
          expect(messages).toBeLessThanOrEqual(date === today ? Math.max(0, limit - facts.usedToday) : limit);
        }
        expect(days.map(({ date }) => date)).toEqual(days.map(({ date }) => date).toSorted());
        expect(days.at(-1)?.date).toBe(dateOf(limitDay(endsAt - facts.sendMs)));
      }),
    ));

  it('ends at a time that is not quiet for everybody', () =>
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { endsAt, days } = forecast(facts);
        // Longer ones are reckoned by weeks.
        if (endsAt === undefined || days.length > 50) return;
        const { quietHours: quiet, zones: own } = facts.own;
        expect(own.some(({ zone }) => isAwake(quiet, zone, endsAt - facts.sendMs))).toBe(true);
      }),
    ));

  it('ends no earlier with more recipients', () =>
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: 1, max: 3000 }), fc.nat(), (facts, more, which) => {
        const { own } = facts;
        const chosen = which % own.zones.length;
        // Behind the others, as evenly spread as before.
        const grown = own.zones.map((zone, index) => {
          if (index !== chosen) return zone;
          const step = (zone.last - zone.first + 1) / zone.count;
          return { ...zone, count: zone.count + more, last: zone.last + more * step };
        });
        const before = forecast(facts).endsAt ?? Infinity;
        // Later ones are reckoned by weeks.
        fc.pre(before < facts.now + 60 * 24 * hour);
        const after = forecast({ ...facts, own: { ...own, zones: grown } }).endsAt ?? Infinity;
        expect(after).toBeGreaterThanOrEqual(before);
      }),
    ));
});
