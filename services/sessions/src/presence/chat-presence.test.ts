import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Clock } from '@messaging-gateway/runtime';
import fc from 'fast-check';
import { ChatPresence, type Doing } from './chat-presence.ts';

/** Time stands still but for `advance`, which calls whoever waits in its order. */
function stillClock(): Pick<Clock, 'now' | 'at'> & { advance(ms: number): Promise<void> } {
  let now = 0;
  const waiting = new Set<{ readonly time: number; readonly callback: () => void }>();
  return {
    now: () => now,
    at: (time, callback) => {
      const one = { time, callback };
      waiting.add(one);
      return () => void waiting.delete(one);
    },
    advance: async (ms) => {
      const end = now + ms;
      for (;;) {
        await turn();
        const [next] = [...waiting].filter(({ time }) => time <= end).sort((one, other) => one.time - other.time);
        if (next === undefined) break;
        waiting.delete(next);
        now = Math.max(now, next.time);
        next.callback();
      }
      now = end;
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the presence of a chat', () => {
  let clock: ReturnType<typeof stillClock>;
  let told: Doing[];
  let chat: ChatPresence;
  let failing = false;
  beforeEach(() => {
    [clock, told, failing] = [stillClock(), [], false];
    chat = new ChatPresence(clock, async (doing) => {
      if (failing) throw new Error('Away.');
      told.push(doing);
    });
  });
  const shown = (...presences: Doing['presence'][]): void => presences.forEach((presence) => chat.take({ presence }));
  const words = (): string[] => told.map(({ presence }) => presence);
  const pass = (ms: number): Promise<void> => clock.advance(ms);

  it('is told at once, and the same is not told again', async () => {
    shown('composing', 'composing');
    await pass(5_000);
    shown('composing');
    await pass(5_000);
    expect(words()).toEqual(['composing']);
  });

  it('is told once a second, the last of what was seen', async () => {
    shown('available', 'composing', 'recording', 'paused');
    await pass(999);
    expect(words()).toEqual(['available']);
    await pass(1);
    expect(words()).toEqual(['available', 'paused']);
  });

  it('that comes back to what is known within the second is not told', async () => {
    shown('composing', 'paused', 'composing');
    await pass(5_000);
    expect(words()).toEqual(['composing']);
  });

  it('of each person in a group is told in turn', async () => {
    for (const author of ['ann', 'bob'])
      for (const presence of ['composing', 'recording'] as const) chat.take({ author, presence });
    for (let second = 0; second < 5; second += 1) await pass(1_000);
    expect(told.map(({ author, presence }) => `${author} ${presence}`)).toEqual([
      'ann composing',
      'ann recording',
      'bob recording',
    ]);
  });

  it('writing that is not shown again for 25 seconds ends', async () => {
    shown('composing');
    await pass(20_000);
    shown('composing');
    await pass(24_999);
    expect(words()).toEqual(['composing']);
    await pass(1);
    expect(words()).toEqual(['composing', 'paused']);
  });

  it('is told again after a message of that person, which ends the writing without a word', async () => {
    shown('composing');
    await pass(2_000);
    chat.wrote(undefined);
    shown('composing');
    await pass(2_000);
    chat.wrote(undefined);
    await pass(60_000);
    expect(words()).toEqual(['composing', 'composing']);
  });

  it('that could not be told is told when it is seen again', async () => {
    failing = true;
    shown('composing');
    await pass(2_000);
    failing = false;
    shown('composing');
    await pass(0);
    expect(words()).toEqual(['composing']);
  });

  it('ends with the subscription', async () => {
    shown('available', 'composing');
    chat.stop();
    await pass(60_000);
    shown('paused');
    await pass(60_000);
    expect(words()).toEqual(['available']);
  });

  it('whatever is seen, no two events are closer than a second, none repeats, and the last one stands', async () => {
    const presences = ['available', 'unavailable', 'composing', 'recording', 'paused'] as const;
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...presences), fc.nat(1_500)), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const time = stillClock();
        const events: { at: number; author: string; presence: string }[] = [];
        const one = new ChatPresence(
          time,
          async ({ author = '', presence }) => void events.push({ at: time.now(), author, presence }),
        );
        for (const [author, presence, wait] of given) {
          one.take({ author, presence });
          await time.advance(wait);
        }
        await time.advance(3_000);
        one.stop();
        const gaps = events.slice(1).map(({ at }, place) => at - (events[place]?.at ?? 0));
        expect(gaps.every((gap) => gap >= 1_000)).toBe(true);
        for (const person of ['a', 'b']) {
          const own = events.filter(({ author }) => author === person).map(({ presence }) => presence);
          expect(own.every((presence, place) => presence !== own[place - 1])).toBe(true);
          const last = given.findLast(([author]) => author === person)?.[1];
          expect(own.at(-1)).toBe(last);
        }
      }),
      { numRuns: 50 },
    );
  });
});
