import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Clock } from '@messaging-gateway/runtime';
import { LoginTurns, type Rank } from './login-turns.ts';

/** Time stands still until the test moves it. */
function stillClock(): Clock & { pass(ms: number): void } {
  let now = 1_000_000;
  const waiting = new Set<{ time: number; callback: () => void }>();
  return {
    now: () => now,
    at: (time, callback) => {
      const one = { time, callback };
      waiting.add(one);
      return () => waiting.delete(one);
    },
    sleep: () => Promise.reject(new Error('Nobody sleeps here.')),
    pass: (ms) => {
      for (const end = now + ms; now < end;) {
        now += 1;
        for (const one of waiting) if (one.time <= now && waiting.delete(one)) one.callback();
      }
    },
  };
}

describe('turns to log in', () => {
  let clock: ReturnType<typeof stillClock>;
  let turns: LoginTurns;
  let begun: string[];
  beforeEach(() => {
    clock = stillClock();
    turns = new LoginTurns(clock, 5);
    begun = [];
  });
  const ask = (name: string, rank: Rank = 'again', organizationId = 'one'): (() => void) =>
    turns.ask(organizationId, rank, () => void begun.push(name));

  it('come at the set rate, at once where nobody waits', () => {
    for (let n = 0; n < 20; n += 1) ask(`${n}`);
    expect(begun).toEqual(['0']);
    clock.pass(1_000);
    expect(begun).toHaveLength(6);
    clock.pass(2_800);
    expect(begun).toHaveLength(20);
    // What was not used is not saved up.
    clock.pass(60_000);
    for (let n = 0; n < 10; n += 1) ask('later');
    expect(begun).toHaveLength(21);
  });

  it('go round the organizations, so that none waits for all of another one', () => {
    for (let n = 0; n < 10; n += 1) ask(`a${n}`, 'again', 'a');
    ask('b0', 'again', 'b');
    ask('c0', 'again', 'c');
    ask('b1', 'again', 'b');
    clock.pass(1_200);
    expect(begun).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3']);
  });

  it('come first to those that were asked for, but every fifth to one that comes again', () => {
    ask('at once');
    for (let n = 0; n < 3; n += 1) ask(`again ${n}`);
    for (let n = 0; n < 6; n += 1) ask(`first ${n}`, 'first');
    clock.pass(1_800);
    const ranks = begun.slice(1).map((name) => name.split(' ')[0]);
    expect(ranks.join(' ')).toBe('first first first first again first first again again');
  });

  it('are not waited for by what goes on with a login, which holds the others up by a second at most', () => {
    for (let n = 0; n < 100; n += 1) ask(`now ${n}`, 'now');
    expect(begun).toHaveLength(100);
    ask('again');
    clock.pass(1_199);
    expect(begun).toHaveLength(100);
    clock.pass(1);
    expect(begun.at(-1)).toBe('again');
  });

  it('can be given up, and nobody has one after the end', () => {
    ask('first');
    ask('given up')();
    ask('second');
    clock.pass(200);
    expect(begun).toEqual(['first', 'second']);
    ask('never');
    turns.stop();
    clock.pass(10_000);
    expect(begun).toHaveLength(2);
  });
});
