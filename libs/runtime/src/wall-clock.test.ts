import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wallInstant } from './wall-clock.ts';

const at = (text: string): number => Date.parse(text);

it.each([
  ['Asia/Kathmandu', '2026-01-01T00:00:00.123Z', '2026-01-01T05:45:00.123Z'],
  ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', '2026-01-01T11:00:00Z'],
  ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59Z'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00Z'],
  ['America/New_York', '2027-01-01T04:59:59Z', '2026-12-31T23:59:59Z'],
])('in %s at %s clocks show %s', (zone, time, shown) => {
  expect(new Date(wallInstant(zone, at(time))).toISOString()).toBe(new Date(at(shown)).toISOString());
});

it('shows in UTC what it is, to the millisecond', () => {
  const [min, max] = [at('1970-01-01T00:00:00Z'), at('2100-01-01T00:00:00Z')];
  fc.assert(fc.property(fc.integer({ min, max }), (time) => expect(wallInstant('UTC', time)).toBe(time)));
});
