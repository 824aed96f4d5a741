import { describe, expect, it } from '@jest/globals';
import type { FlowCondition } from '@messaging-gateway/contracts';
import fc from 'fast-check';
import type { Facts, Incoming, Person } from '../../answerers/compiled.ts';
import { compileConditions } from './compile.ts';
import { wallTime } from './wall-clock.ts';

const ada: Person = {
  contactId: null,
  name: 'Ada Lovelace',
  pushName: 'ada',
  phone: '4915112345678',
  lid: null,
  tags: ['vip'],
  metadata: { city: 'Kiel', age: 36, none: null, constructor: 'x' },
  blocked: false,
};
const message = { told: { type: 'image', quotedMessageId: 'x' } } as unknown as Incoming;
const holds = (condition: FlowCondition, facts: Partial<Facts> = {}): boolean =>
  compileConditions([condition]).every((one) => one.holds({ person: ada, message, now: 0, ...facts }));

describe('a condition', () => {
  it.each<[FlowCondition, boolean]>([
    [{ type: 'tag', value: 'vip' }, true],
    [{ type: 'tag', value: 'VIP' }, false],
    [{ type: 'tag', value: 'vip', not: true }, false],
    [{ type: 'field', field: 'name', operator: 'contains', value: 'LOVE' }, true],
    [{ type: 'field', field: 'name', operator: 'equals', value: 'Ada' }, false],
    [{ type: 'field', field: 'pushName', operator: 'equals', value: 'ada' }, true],
    [{ type: 'field', field: 'phone', operator: 'equals', value: '+49 151 12345678' }, true],
    [{ type: 'field', field: 'metadata.city', operator: 'equals', value: 'Kiel' }, true],
    [{ type: 'field', field: 'metadata.age', operator: 'equals', value: '36' }, true],
    [{ type: 'field', field: 'metadata.none', operator: 'exists' }, false],
    [{ type: 'field', field: 'metadata.toString', operator: 'exists' }, false],
    [{ type: 'field', field: 'metadata.x', operator: 'equals', value: '', not: true }, true],
    [{ type: 'message_type', value: ['image', 'video'] }, true],
    [{ type: 'message_type', value: ['text'] }, false],
    [{ type: 'quoted' }, true],
    [{ type: 'quoted', not: true }, false],
  ])('%j: %j', (condition, expected) => expect(holds(condition)).toBe(expected));
});

describe('a time', () => {
  const at = (text: string, condition: object): boolean =>
    holds({ type: 'time', timezone: 'Europe/Berlin', ...condition }, { now: Date.parse(text) });

  it('is that of clocks in its zone, also when they are changed', () => {
    const night = { from: '02:00', to: '03:00' };
    // 02:00 to 03:00 is not there on 29 March, and twice on 25 October.
    expect(['00:59', '01:00', '01:30'].map((time) => at(`2026-03-29T${time}:00Z`, night))).toEqual([
      false,
      false,
      false,
    ]);
    expect(['00:00', '00:59', '01:00', '01:59', '02:00'].map((time) => at(`2026-10-25T${time}:00Z`, night))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('over midnight is of the day on which it began', () => {
    const friday = { days: [5], from: '22:00', to: '02:00' };
    // 2 January 2026 is a Friday.
    expect(at('2026-01-02T21:00:00Z', friday)).toBe(true);
    expect(at('2026-01-03T00:59:59Z', friday)).toBe(true);
    expect(at('2026-01-03T01:00:00Z', friday)).toBe(false);
    expect(at('2026-01-02T00:30:00Z', friday)).toBe(false);
    expect(at('2026-01-03T21:30:00Z', friday)).toBe(false);
    expect(at('2026-01-04T00:30:00Z', { days: [7], from: '22:00', to: '02:00' })).toBe(false);
    expect(at('2026-01-04T23:30:00Z', { days: [7], from: '22:00', to: '02:00' })).toBe(true);
  });

  it('may have an end, a beginning or days only', () => {
    expect([at('2026-01-02T06:59:00Z', { to: '08:00' }), at('2026-01-02T07:00:00Z', { to: '08:00' })]).toEqual([
      true,
      false,
    ]);
    expect([at('2026-01-02T22:59:00Z', { from: '08:00' }), at('2026-01-02T23:00:00Z', { from: '08:00' })]).toEqual([
      true,
      false,
    ]);
    expect([at('2026-01-02T22:59:00Z', { days: [5] }), at('2026-01-02T23:00:00Z', { days: [5] })]).toEqual([
      true,
      false,
    ]);
  });

  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const instant = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2040-01-01') });

  it('of the wall is what a calendar of the zone says', () =>
    fc.assert(
      fc.property(zone, instant, (timeZone, now) => {
        const { day, minutes } = wallTime(timeZone, now);
        // Written by another calendar, and read as if it were UTC.
        const written = new Date(now).toLocaleString('sv-SE', { timeZone });
        const local = new Date(`${written.replace(' ', 'T')}Z`);
        expect([day % 7, minutes]).toEqual([local.getUTCDay(), local.getUTCHours() * 60 + local.getUTCMinutes()]);
      }),
    ));

  const clock = fc
    .integer({ min: 0, max: 1439 })
    .map((minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`);

  it('is either in a window or in the other one, in any zone', () =>
    fc.assert(
      fc.property(zone, instant, clock, clock, (timezone, now, from, to) => {
        fc.pre(from !== to);
        const within = (window: object): boolean => holds({ type: 'time', timezone, ...window }, { now });
        expect(within({ from, to })).toBe(!within({ from: to, to: from }));
        expect(within({ from, to, not: true })).toBe(!within({ from, to }));
        expect([1, 2, 3, 4, 5, 6, 7].filter((day) => within({ from, to, days: [day] })).length).toBe(
          within({ from, to }) ? 1 : 0,
        );
      }),
    ));
});
