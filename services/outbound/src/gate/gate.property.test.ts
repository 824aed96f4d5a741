import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { KnownMessage } from '../message/message.ts';
import { MiniatureLane, type Outcome } from '../testing/miniature-lane.ts';
import { dayOf } from '../time/clock.ts';
import { handedOver, rollTo } from './send-gate.ts';

/** Two hours before midnight in Jakarta. */
const evening = Date.parse('2026-01-01T15:00:00.000Z');

type Move =
  | { do: 'accept'; chat: number }
  | { do: 'wait'; ms: number }
  | { do: 'work'; outcome: Outcome }
  | { do: 'limit'; to: number | undefined };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('accept' as const), chat: fc.nat(2) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      outcome: fc.constantFrom<Outcome>('sent', 'sent', 'refused', 'lost', 'not-connected'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.oneof(fc.nat(3000), fc.nat(3 * 3_600_000)) }),
  },
);
const lowering: fc.Arbitrary<Move> = fc.record({
  do: fc.constant('limit' as const),
  to: fc.option(fc.nat(6), { nil: undefined }),
});

function play(
  moves: readonly Move[],
  delay: number,
  limit: number | undefined,
  after: (lane: MiniatureLane) => void,
): MiniatureLane {
  const lane = new MiniatureLane(evening, delay, limit);
  for (const next of moves) {
    if (next.do === 'accept') lane.accept(next.chat);
    if (next.do === 'wait') lane.now += next.ms;
    if (next.do === 'work') lane.work(next.outcome);
    if (next.do === 'limit') lane.limit = next.to;
    after(lane);
  }
  return lane;
}

const countsEverything = (lane: MiniatureLane): void => {
  const today = dayOf(lane.now);
  const { reserved, uncertain, sent } = rollTo(lane.count, today);
  const of = (status: KnownMessage['status']) => lane.known.filter((known) => known.status === status);
  expect(reserved).toBe(of('accepted').length);
  expect(uncertain).toBe(of('unknown').filter((known) => known.uncertainDay === today).length);
  const sentToday = of('sent').filter(
    (known) => (known.uncertainDay ?? dayOf(Date.parse(known.handedOverAt ?? ''))) === today,
  );
  expect(sent).toBe(sentToday.length);
};

describe('the send gate, whatever happens in whatever order', () => {
  const moves = fc.array(move, { maxLength: 120 });
  const limits = fc.option(fc.nat(8), { nil: undefined });

  it('counts exactly', () => {
    fc.assert(
      fc.property(moves, limits, (list, limit) => void play(list, 1500, limit, countsEverything)),
      { numRuns: 300 },
    );
  });

  it('hands over no more messages in a day than the limit', () => {
    fc.assert(
      fc.property(moves, fc.nat(6), (list, limit) => {
        const lane = play(list, 10, limit, () => undefined);
        const perDay = new Map<string, number>();
        for (const [messageId, day] of lane.handedOn) {
          const state = lane.messages.get(messageId);
          if (state?.status !== 'failed') perDay.set(day, (perDay.get(day) ?? 0) + 1);
        }
        for (const count of perDay.values()) expect(count).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 300 },
    );
  });

  it('never hands over earlier than messageDelayMs after the hand-over before', () => {
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 5000 }), limits, (list, delay, limit) => {
        const { handOvers } = play(list, delay, limit, () => undefined);
        handOvers
          .slice(1)
          .forEach((time, index) => expect(time - (handOvers[index] ?? 0)).toBeGreaterThanOrEqual(delay));
      }),
      { numRuns: 300 },
    );
  });

  it('counts exactly while the limit is changed, and holds to a lowered one', () => {
    const changing = fc.array(fc.oneof({ weight: 10, arbitrary: move }, { weight: 1, arbitrary: lowering }), {
      maxLength: 120,
    });
    fc.assert(
      fc.property(changing, limits, (list, limit) => {
        let handed = 0;
        play(list, 10, limit, (lane) => {
          countsEverything(lane);
          const firsts = lane.handedOn.size;
          const most = firsts > handed ? (lane.limit ?? Infinity) : Infinity;
          expect(handedOver(lane.count, dayOf(lane.now))).toBeLessThanOrEqual(most);
          handed = firsts;
        });
      }),
      { numRuns: 300 },
    );
  });
});
