import { describe, expect, it } from '@jest/globals';
import { readSettings, SettingsFault } from './settings.ts';
import { duration, flag, fraction, integer, rateLimit, word } from './setting-parsers.ts';

const table = {
  port: { variable: 'API_PORT', means: 'Port.', byDefault: '3000', read: integer(3000, 0, 65_535) },
  durable: { variable: 'DURABLE_SEND', means: 'Mode.', byDefault: 'false', read: flag(false) },
  expires: { variable: 'JWT_EXPIRES_IN', means: 'Validity.', byDefault: '7d', read: duration('7d') },
} as const;

describe('a table of settings', () => {
  it('has its defaults, also for empty variables', () => {
    expect(readSettings(table, { API_PORT: '' })).toEqual({ port: 3000, durable: false, expires: 604_800_000 });
  });

  it('names all faults at once', () => {
    const read = (): unknown => readSettings(table, { API_PORT: 'x', DURABLE_SEND: 'yes', JWT_EXPIRES_IN: '7' });
    expect(read).toThrow(SettingsFault);
    expect(read).toThrow(/API_PORT must.*DURABLE_SEND must.*JWT_EXPIRES_IN must/);
  });
});

describe('the parsers', () => {
  it('take fractions of days, hours and minutes', () =>
    expect([duration('7d')('0.5m'), fraction(72)('0.001'), fraction(400, 1)('1.5')]).toEqual([30_000, 0.001, 1.5]));
  it('refuse what is less than allowed', () => {
    expect(() => fraction(72)('-1')).toThrow('at least 0');
    expect(() => fraction(400, 1)('0.5')).toThrow('at least 1');
  });
  it('read rate limits, and off', () =>
    expect([rateLimit('120/1m')(undefined), rateLimit('120/1m')('off'), rateLimit()('5/10s')]).toEqual([
      { count: 120, windowMs: 60_000 },
      undefined,
      { count: 5, windowMs: 10_000 },
    ]));
  it.each(['0/1m', '5/0s', '5', '5/1d', 'on'])('refuse the rate limit %s', (value) =>
    expect(() => rateLimit()(value)).toThrow(/must be/),
  );
  it('refuse another word', () =>
    expect(() => word(['api', 'worker'], 'api')('both')).toThrow('must be one of api, worker'));
});
