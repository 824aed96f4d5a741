import type { GateCount } from '../gate/lane-records.ts';
import { applyChange, emptyCount, gateChangeOf, handedOver, placesTaken } from '../gate/send-gate.ts';
import { agenda, type OpenMessage } from '../lanes/agenda.ts';
import {
  isKnown,
  type KnownMessage,
  message,
  type Message,
  type MessageCommand,
  type MessageEvent,
  type MessageFacts,
  networkMessageIdOf,
} from '../message/message.ts';
import { dayOf } from '../time/clock.ts';

const profileId = '0198c0de-0000-7000-8000-000000000002';

/** The network's reaction to a hand-over. */
export type Outcome = 'sent' | 'refused' | 'lost' | 'not-connected';

/** A lane in miniature: the real rules, counters and agenda, with a network that does what the test says. */
export class MiniatureLane {
  readonly delay: number;
  limit: number | undefined;
  now: number;
  count: GateCount;
  entries: OpenMessage[] = [];
  readonly messages = new Map<string, Message>();
  /** First hand-over of each message: its day; and the time of every hand-over. */
  readonly handedOn = new Map<string, string>();
  readonly handOvers: number[] = [];
  refusals = 0;

  constructor(now: number, delay: number, limit: number | undefined) {
    this.now = now;
    this.count = emptyCount(dayOf(now));
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
    const facts: MessageFacts = {
      messageId,
      profileId,
      conversationId: `chat-${chat}`,
      networkMessageId: networkMessageIdOf(messageId),
      to: `${chat}@c.us`,
      type: 'text',
      origin: 'api',
    };
    this.record(messageId, {
      type: 'AcceptMessage',
      facts,
      content: { type: 'text', content: { text: 'x' } },
      mode: 'durable',
      at: this.now,
    });
    this.entries.push({
      messageId,
      conversationId: facts.conversationId,
      mode: 'durable',
      acceptedAt: this.now,
      phase: 'waiting',
      attempts: 0,
      settlements: 0,
    });
  }

  work(outcome: Outcome): void {
    const { now, entries, delay, limit } = this;
    const { handedOverAt } = this.count;
    const plan = agenda({
      now,
      entries,
      connection: 'connected',
      lookAgainAt: 0,
      closed: false,
      timeToLive: 72 * 3_600_000,
      gateOpensAt: delay === 0 || handedOverAt === 0 ? 0 : handedOverAt + delay + 1,
      overLimit: limit !== undefined && handedOver(this.count, dayOf(now)) >= limit,
    });
    for (const { entry, failure } of plan.givenUp) this.end(entry, { type: 'GiveUp', error: failure, at: now });
    const { next } = plan;
    if (next?.do === 'ask') next.entry.phase = 'repeat';
    if (next?.do === 'abandon') this.end(next.entry, { type: 'AbandonSettlement' });
    if (next?.do === 'deliver' && outcome !== 'not-connected') this.handOver(next.entry, outcome);
  }

  handOver(entry: OpenMessage, outcome: Exclude<Outcome, 'not-connected'>): void {
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
    const [event] = this.record(entry.messageId, {
      type: 'RefuseDelivery',
      error: { code: 'ENGINE_REFUSED', message: 'No.' },
      attempt: entry.attempts + 1,
      at: now,
      handedOverAt: now,
    });
    if (event?.type !== 'DeliveryAttemptFailed') this.entries = this.entries.filter((other) => other !== entry);
    else {
      entry.attempts = event.data.attempt;
      entry.dueAt = Date.parse(event.data.nextAttemptAt);
    }
  }

  end(entry: OpenMessage, command: MessageCommand): void {
    this.record(entry.messageId, command);
    this.entries = this.entries.filter((other) => other !== entry);
  }

  record(messageId: string, command: MessageCommand): readonly MessageEvent[] {
    const before = this.messages.get(messageId) ?? message.initial;
    const events = message.decide(command, before);
    this.messages.set(
      messageId,
      events.reduce((state, event) => message.evolve(state, event), before),
    );
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
