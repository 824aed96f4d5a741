import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agenda } from '../lanes/agenda.ts';
import type { LaneEntry } from '../lanes/lane-entry.ts';
import type { MessageEvent, MessageFacts } from '../message/message-events.ts';
import { isKnown, type KnownMessage, type Message } from '../message/message-state.ts';
import { message, type MessageCommand } from '../message/message.ts';
import { networkMessageIdOf } from '../message/network-message-id.ts';
import { dayOf } from './day.ts';
import { applyChange, emptyCount, gateChangeOf, handedOver, placesTaken, rollTo, type GateCount } from './gate-count.ts';

const profileId = '0198c0de-0000-7000-8000-000000000002';
/** Two hours before midnight in Jakarta. */
const evening = Date.parse('2026-01-01T15:00:00.000Z');

type Outcome = 'sent' | 'refused' | 'lost' | 'not-connected';
type Move = { do: 'accept'; chat: number } | { do: 'wait'; ms: number } | { do: 'work'; outcome: Outcome } | { do: 'limit'; to: number | undefined };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('accept' as const), chat: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('work' as const), outcome: fc.constantFrom<Outcome>('sent', 'sent', 'refused', 'lost', 'not-connected') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.oneof(fc.nat(3000), fc.nat(3 * 3_600_000)) }) },
);
const lowering: fc.Arbitrary<Move> = fc.record({ do: fc.constant('limit' as const), to: fc.option(fc.nat(6), { nil: undefined }) });

/** A lane in miniature: the real rules, counters and agenda, with a network that does what the test says. */
class Miniature {
  readonly delay: number;
  limit: number | undefined;
  now = evening;
  count: GateCount = emptyCount(dayOf(evening));
  entries: LaneEntry[] = [];
  readonly messages = new Map<string, Message>();
  /** First hand-over of each message: its day; and the time of every hand-over. */
  readonly handedOn = new Map<string, string>();
  readonly handOvers: number[] = [];
  refusals = 0;

  constructor(delay: number, limit: number | undefined) {
    this.delay = delay;
    this.limit = limit;
  }

  accept(chat: number): void {
    const day = dayOf(this.now);
    if (this.limit !== undefined && placesTaken(this.count, day) + 1 > this.limit) {
      this.refusals += 1;
      return;
    }
    const messageId = `message-${this.messages.size}`;
    const facts: MessageFacts = { messageId, profileId, conversationId: `chat-${chat}`, networkMessageId: networkMessageIdOf(messageId), to: `${chat}@c.us`, type: 'text', origin: 'api' };
    this.record(messageId, { type: 'AcceptMessage', facts, content: { type: 'text', content: { text: 'x' } }, mode: 'durable', at: this.now });
    this.entries.push({ messageId, conversationId: facts.conversationId, mode: 'durable', acceptedAt: this.now, phase: 'waiting', attempts: 0, settlements: 0 });
  }

  work(outcome: Outcome): void {
    const { now, entries, delay, limit } = this;
    const { handedOverAt } = this.count;
    const plan = agenda({
      now, entries, connection: 'connected', lookAgainAt: 0, closed: false, timeToLive: 72 * 3_600_000,
      gateOpensAt: delay === 0 || handedOverAt === 0 ? 0 : handedOverAt + delay + 1,
      overLimit: limit !== undefined && handedOver(this.count, dayOf(now)) >= limit,
    });
    for (const { entry, failure } of plan.givenUp) this.end(entry, { type: 'GiveUp', error: failure, at: now });
    const { next } = plan;
    if (next?.do === 'ask') next.entry.phase = 'repeat';
    if (next?.do === 'abandon') this.end(next.entry, { type: 'AbandonSettlement' });
    if (next?.do === 'deliver' && outcome !== 'not-connected') this.handOver(next.entry, outcome);
  }

  handOver(entry: LaneEntry, outcome: Exclude<Outcome, 'not-connected'>): void {
    const { now } = this;
    this.handOvers.push(now);
    if (!this.handedOn.has(entry.messageId)) this.handedOn.set(entry.messageId, dayOf(now));
    if (outcome === 'sent') return this.end(entry, { type: 'ConfirmSent', handedOverAt: now });
    if (outcome === 'lost') {
      this.record(entry.messageId, { type: 'LoseOutcome', handedOverAt: now });
      entry.phase = 'unsettled';
      entry.settlements += 1;
      this.count = { ...this.count, handedOverAt: now };
      return;
    }
    const [event] = this.record(entry.messageId, { type: 'RefuseDelivery', error: { code: 'ENGINE_REFUSED', message: 'No.' }, at: now, handedOverAt: now });
    if (event?.type !== 'DeliveryAttemptFailed') this.entries = this.entries.filter((other) => other !== entry);
    else entry.dueAt = Date.parse(event.data.nextAttemptAt);
  }

  end(entry: LaneEntry, command: MessageCommand): void {
    this.record(entry.messageId, command);
    this.entries = this.entries.filter((other) => other !== entry);
  }

  record(messageId: string, command: MessageCommand): readonly MessageEvent[] {
    const before = this.messages.get(messageId) ?? message.initial;
    const events = message.decide(command, before);
    this.messages.set(messageId, events.reduce((state, event) => message.evolve(state, event), before));
    for (const event of events) {
      const change = gateChangeOf(event);
      if (change !== undefined) this.count = applyChange(this.count, change);
    }
    return events;
  }

  get known(): KnownMessage[] {
    return [...this.messages.values()].filter(isKnown);
  }
}

function play(moves: readonly Move[], delay: number, limit: number | undefined, after: (lane: Miniature) => void): Miniature {
  const lane = new Miniature(delay, limit);
  for (const next of moves) {
    if (next.do === 'accept') lane.accept(next.chat);
    if (next.do === 'wait') lane.now += next.ms;
    if (next.do === 'work') lane.work(next.outcome);
    if (next.do === 'limit') lane.limit = next.to;
    after(lane);
  }
  return lane;
}

const countsEverything = (lane: Miniature): void => {
  const today = dayOf(lane.now);
  const { reserved, uncertain, sent } = rollTo(lane.count, today);
  const of = (status: KnownMessage['status']) => lane.known.filter((known) => known.status === status);
  expect(reserved).toBe(of('accepted').length);
  expect(uncertain).toBe(of('unknown').filter((known) => known.uncertainDay === today).length);
  const sentToday = of('sent').filter((known) => (known.uncertainDay ?? dayOf(Date.parse(known.handedOverAt ?? ''))) === today);
  expect(sent).toBe(sentToday.length);
};

describe('the send gate, whatever happens in whatever order', () => {
  const moves = fc.array(move, { maxLength: 120 });
  const limits = fc.option(fc.nat(8), { nil: undefined });

  it('counts exactly', () => {
    fc.assert(fc.property(moves, limits, (list, limit) => void play(list, 1500, limit, countsEverything)), { numRuns: 300 });
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
        handOvers.slice(1).forEach((time, index) => expect(time - (handOvers[index] ?? 0)).toBeGreaterThanOrEqual(delay));
      }),
      { numRuns: 300 },
    );
  });

  it('counts exactly while the limit is changed, and holds to a lowered one', () => {
    const changing = fc.array(fc.oneof({ weight: 10, arbitrary: move }, { weight: 1, arbitrary: lowering }), { maxLength: 120 });
    fc.assert(
      fc.property(changing, limits, (list, limit) => {
        let handed = 0;
        play(list, 10, limit, (lane) => {
          countsEverything(lane);
          const firsts = lane.handedOn.size;
          if (firsts > handed && lane.limit !== undefined) expect(handedOver(lane.count, dayOf(lane.now))).toBeLessThanOrEqual(lane.limit);
          handed = firsts;
        });
      }),
      { numRuns: 300 },
    );
  });
});
