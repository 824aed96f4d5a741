import { describe, expect, it } from '@jest/globals';
import { patterns, render, type Copy } from './pattern.ts';
import { measuredPlaces, placeOf, spreadOf, type Plan } from './plan.ts';

const organization = '01a20028-d8f4-75f0-9083-3fee543648ac';
const messageId = '01a20028-e1f4-7067-8140-2cce4e8cb728';
const moment = Date.parse('2026-11-21T22:10:09.059Z');
const split = patterns({
  names: new Map([
    [messageId, 'id'],
    ['4923000000001', 'phone'],
    ['Anne (home)', 'pushName'],
  ]),
  shared: new Set([organization]),
  moment,
});
const copy: Copy = {
  moment: Date.parse('2026-10-01T08:00:00.500Z'),
  value: (name) => `<${name}>`,
  fresh: (number) => `<fresh ${number}>`,
};
const copied = (text: string): string => render(split(text), copy);

describe('copies of a real row', () => {
  it('have values of their own, and share those of the organization', () =>
    expect(copied(`${organization} message-${messageId} 4923000000001@c.us Anne (home)`)).toBe(
      `${organization} message-<id> <phone>@c.us <pushName>`,
    ));

  it('have the same fresh id where the real row had the same one', () => {
    const [one, other] = ['746da15d-431b-5bae-8f83-868ef97c02a0', 'f1f78b8c-7a2f-53fa-aa96-6da3c5ef20a1'];
    expect(copied(`${one} ${other}`)).toBe('<fresh 0> <fresh 1>');
    expect(copied(`{"cause":"${one}"}`)).toBe('{"cause":"<fresh 0>"}');
  });

  it('keep the distances of times, whole seconds where the network tells them, and days', () => {
    expect(copied('2026-11-21T22:10:09.398Z')).toBe('2026-10-01T08:00:00.839Z');
    expect(copied('2026-11-21 22:10:09.398+00')).toBe('2026-10-01T08:00:00.839Z');
    expect(copied('2026-11-21T22:10:09.000Z')).toBe('2026-10-01T08:00:00.000Z');
    expect(copied('{"day":"2026-11-22"}')).toBe('{"day":"2026-10-02"}');
  });
});

describe('messages that are stored', () => {
  it('lie in all conversations, a tenth of them in the large one', () => {
    const plan: Plan = {
      messages: 10_000,
      conversations: 100,
      busy: 0,
      organizationId: organization,
      profiles: [],
      begin: 0,
      step: 1,
    };
    const counts = Map.groupBy(
      Array.from({ length: plan.messages }, (_, number) => placeOf(plan, number)),
      (place) => place,
    );
    expect(counts.size).toBe(100);
    expect(counts.get(0)).toHaveLength(1000);
    for (let place = 1; place < 100; place += 1) expect([90, 91]).toContain(counts.get(place)?.length);
  });

  it('fill a page of the conversations that are asked for, where there are few for each', () => {
    const plan: Plan = {
      messages: 10_000,
      ...spreadOf(10_000),
      organizationId: organization,
      profiles: [],
      begin: 0,
      step: 1,
    };
    const counts = Map.groupBy(
      Array.from({ length: plan.messages }, (_, number) => placeOf(plan, number)),
      (place) => place,
    );
    expect([counts.size, counts.get(0)?.length]).toEqual([1000, 1000]);
    for (let place = 1; place <= measuredPlaces; place += 1) expect(counts.get(place)).toHaveLength(50);
    for (let place = measuredPlaces + 1; place < 1000; place += 1) expect([4, 5]).toContain(counts.get(place)?.length);
    expect(spreadOf(1_000_000)).toEqual({ conversations: 10_000, busy: 0 });
  });
});
