import { dayOf } from '../gate/day.ts';
import { applyChange, gateChangeOf, handedOver, type GateCount } from '../gate/gate-count.ts';
import type { SendingPolicy } from '../lane-policy/lane.ts';
import type { Failure, MessageEvent } from '../message/message-events.ts';
import { agenda, failures, type LaneSight, type Step } from './agenda.ts';
import { ConnectionSight } from './connection-sight.ts';
import type { LaneEntry } from './lane-entry.ts';
import { LaneQueue } from './lane-queue.ts';
import type { LaneTools } from './lane-tools.ts';
import { LaneWork, type Workplace } from './lane-work.ts';

/** A lane as it stands in the views. */
export interface LaneRecord {
  readonly profileId: string;
  readonly organizationId: string;
  readonly policy: SendingPolicy;
  readonly closed: boolean;
  readonly count: GateCount;
}

/** Outcomes being written while the next message goes out already, at most. */
const recordingsAtOnce = 16;

/**
 * The messages of one profile on their way to the network: one at a time, in order, `messageDelayMs` apart
 * (specification §3, send gate). Does what `agenda` says whenever something has changed.
 */
export class Lane implements Workplace {
  readonly profileId: string;
  readonly organizationId: string;
  readonly connection = new ConnectionSight();
  readonly queue: LaneQueue;
  readonly #tools: LaneTools;
  readonly #work: LaneWork;
  readonly #recording = new Set<Promise<void>>();
  #policy: SendingPolicy;
  #closed: boolean;
  #count: GateCount;
  #busy: Promise<void> | undefined;
  #stopped = false;
  #reading = false;
  #cancelAlarm = (): void => undefined;

  /** @param recovered the table may hold messages of a process that is gone: the gate opens as if one had just left */
  constructor(record: LaneRecord, tools: LaneTools, recovered: boolean) {
    const { count, profileId, organizationId, policy, closed } = record;
    this.profileId = profileId;
    this.organizationId = organizationId;
    this.queue = new LaneQueue(tools.sql, profileId, { more: recovered });
    this.#tools = tools;
    this.#policy = policy;
    this.#closed = closed;
    this.#count = recovered ? { ...count, handedOverAt: Math.max(count.handedOverAt, tools.clock.now()) } : count;
    this.#work = new LaneWork(this, tools);
  }

  get policy(): SendingPolicy {
    return this.#policy;
  }
  get count(): GateCount {
    return this.#count;
  }
  get isClosed(): boolean {
    return this.#closed;
  }
  get isIdle(): boolean {
    return this.queue.isEmpty && this.#busy === undefined && this.#recording.size === 0;
  }
  get waitsForRecord(): boolean {
    return this.#policy.messageDelayMs > 0 || this.#policy.dailyMessageLimit !== undefined;
  }

  applyPolicy(policy: SendingPolicy): void {
    this.#policy = policy;
    this.advance();
  }

  close(): void {
    this.#closed = true;
    this.advance();
  }

  /** Something was appended to a message of this lane. */
  noteEvents(events: readonly MessageEvent[]): void {
    for (const event of events) {
      const change = gateChangeOf(event);
      if (change !== undefined) this.#count = applyChange(this.#count, change);
      if (event.type === 'MessageSent') this.queue.drop(event.data.messageId);
    }
  }

  noteHandOver(at: number): void {
    this.#count = { ...this.#count, handedOverAt: Math.max(this.#count.handedOverAt, at) };
    if (this.connection.state === 'unknown') this.connection.seen(true, at);
  }

  /** A message was accepted. */
  enter(entry: LaneEntry): void {
    this.queue.enter(entry);
    this.advance();
  }

  /** The connection has come back: what is unsettled is tried at once. */
  reconnected(): void {
    for (const entry of this.queue.entries) {
      if (entry.phase === 'waiting') continue;
      entry.settlements = 0;
      delete entry.dueAt;
    }
    this.advance();
  }

  /** A message may have been accepted that nobody has told. */
  suspect(): void {
    const { clock } = this.#tools;
    this.queue.suspect();
    clock.at(clock.now() + 1000, () => this.advance());
  }

  /** Looks what is to be done now. Safe to call at any time. */
  advance(): void {
    if (this.#stopped) return;
    const { clock } = this.#tools;
    const now = clock.now();
    this.connection.lookAgain(now);
    const { givenUp, next, wakeAt } = agenda(this.#sight(now));
    for (const { entry, failure } of givenUp) this.#giveUp(entry, failure);
    this.#cancelAlarm();
    this.#cancelAlarm = wakeAt === undefined ? () => undefined : clock.at(wakeAt, () => this.advance());
    if (next !== undefined && this.#busy === undefined && this.#recording.size < recordingsAtOnce) this.#begin(next);
    this.#topUp();
  }

  async track(entry: LaneEntry, work: Promise<void>): Promise<void> {
    const tracked = work.catch((error: unknown) => this.#dropped(entry, error));
    this.#recording.add(tracked);
    await tracked;
    this.#recording.delete(tracked);
    this.advance();
  }

  /** Withdraws what waits for an answer, and waits until what was handed over is recorded. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelAlarm();
    for (const entry of this.queue.entries) {
      if (entry.mode === 'synchronous' && entry.phase === 'waiting') this.#giveUp(entry, failures.withdrawn);
    }
    while (this.#busy !== undefined || this.#recording.size > 0)
      await Promise.allSettled([this.#busy, ...this.#recording]);
  }

  #sight(now: number): LaneSight {
    const { messageDelayMs, dailyMessageLimit } = this.#policy;
    const { handedOverAt } = this.#count;
    return {
      now,
      entries: this.queue.entries,
      // One more, because times are whole milliseconds: never earlier.
      gateOpensAt: messageDelayMs === 0 || handedOverAt === 0 ? 0 : handedOverAt + messageDelayMs + 1,
      connection: this.connection.state,
      lookAgainAt: this.connection.lookAgainAt,
      closed: this.#closed,
      overLimit: dailyMessageLimit !== undefined && handedOver(this.#count, dayOf(now)) >= dailyMessageLimit,
      timeToLive: this.#tools.timeToLive,
    };
  }

  #giveUp(entry: LaneEntry, error: Failure): void {
    this.queue.take(entry);
    void this.#work.giveUp(entry, { type: 'GiveUp', error, at: this.#tools.clock.now() });
  }

  #begin(step: Step): void {
    this.queue.take(step.entry);
    const work = this.#work.carryOut(step).catch((error: unknown) => this.#dropped(step.entry, error));
    this.#busy = work.finally(() => {
      this.#busy = undefined;
      this.advance();
    });
  }

  #topUp(): void {
    if (this.#reading || !this.queue.wantsMore) return;
    const { clock } = this.#tools;
    this.#reading = true;
    const again = (): void => {
      this.#reading = false;
      this.advance();
    };
    this.queue.topUp().then(again, () => clock.at(clock.now() + 1000, again));
  }

  /** Leaves an entry to the table when something unforeseen happened; a stop is nothing unforeseen. */
  #dropped(entry: LaneEntry, error: unknown): void {
    if (this.#tools.signal.aborted) return;
    const { profileId } = this;
    this.#tools.log.error('A message in its lane met an error', {
      profileId,
      messageId: entry.messageId,
      reason: String(error),
    });
    this.queue.finish(entry);
  }
}
