import { describe, expect, it } from '@jest/globals';
import { defaultLimits, strangersPerDay, warmupOn, type SendingLimits } from './sending-limits.ts';

const day = 86_400_000;
/** 10:00 in Jakarta. */
const linkedAt = Date.parse('2026-01-01T03:00:00.000Z');
const record = (limits: Partial<SendingLimits>, linked: number | undefined = linkedAt) => ({
  limits: { ...defaultLimits, ...limits },
  linkedAt: linked,
});
const warmup = { days: 5, from: 10, to: 50 };

describe('limit for strangers', () => {
  it('is none by default', () => {
    expect(strangersPerDay(record({}), linkedAt)).toBeUndefined();
  });

  it('grows linearly from the first link, by days of the daily limit', () => {
    const limits = [0, 1, 2, 3, 4].map((days) => strangersPerDay(record({ warmup }), linkedAt + days * day));
    expect(limits).toEqual([10, 20, 30, 40, 50]);
    // 00:30 in Jakarta of the next day, 14 h 30 min after the link.
    expect(warmupOn(record({ warmup }), linkedAt + 14.5 * 3_600_000)).toEqual({ day: 2, days: 5, strangers: 20 });
  });

  it('is over after its days, and does not begin before the first link', () => {
    expect(warmupOn(record({ warmup }), linkedAt + 5 * day)).toBeUndefined();
    expect(strangersPerDay({ ...record({ warmup }), linkedAt: undefined }, linkedAt)).toBeUndefined();
  });

  it('is the smaller one of both', () => {
    const both = record({ warmup, strangerDailyLimit: 25 });
    expect([0, 1, 2, 6].map((days) => strangersPerDay(both, linkedAt + days * day))).toEqual([10, 20, 25, 25]);
    expect(strangersPerDay(record({ strangerDailyLimit: 0 }), linkedAt)).toBe(0);
  });

  it('lasts one day with the limit of its last day', () => {
    expect(strangersPerDay(record({ warmup: { days: 1, from: 10, to: 50 } }), linkedAt)).toBe(50);
  });
});
