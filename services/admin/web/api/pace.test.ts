import { describe, expect, it } from '@jest/globals';
import { Pace } from './pace.ts';

describe('the pace of reads', () => {
  it('knows no wait before the API has spoken', () => expect(new Pace().take(0)).toBe(0));

  it('waits for the limit that is used up, and keeps some requests for writes', () => {
    const pace = new Pace();
    pace.arrive('"global"; r=900; t=40, "credential"; r=5; t=12', 1_000);
    expect([pace.take(1_000), pace.take(1_000), pace.take(1_000)]).toEqual([0, 0, 12_000]);
    expect(pace.take(13_000)).toBe(0);
  });

  it('is not held up by limits of logins and passwords', () => {
    const pace = new Pace();
    pace.arrive('"auth"; r=0; t=60, "failed-email"; r=0; t=900', 0);
    expect(pace.take(0)).toBe(0);
  });

  it('counts what is on its way while an answer says how much is left', () => {
    const pace = new Pace();
    for (let request = 0; request < 6; request += 1) pace.leave();
    pace.arrive('"credential"; r=9; t=12', 0);
    expect([pace.take(0), pace.take(0)]).toEqual([0, 12_000]);
  });

  it('begins with what the page before has heard, until somebody else asks', () => {
    const kept = new Map<string, string>();
    const store = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    };
    new Pace(store).arrive('"credential"; r=0; t=12', 0);
    const next = new Pace(store);
    expect(next.take(2_000)).toBe(10_000);
    next.forget();
    expect([next.take(2_000), new Pace(store).take(2_000)]).toEqual([0, 0]);
    kept.set('gateway.pace', 'no JSON');
    expect(new Pace(store).take(0)).toBe(0);
  });
});
