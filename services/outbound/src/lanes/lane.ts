import type { GateCount } from '../gate/gate-count.ts';
import type { SendingPolicy } from '../lane-policy/lane.ts';
import type { Failure, MessageEvent } from '../message/message-events.ts';
import { agenda, failures, type LaneSight, type Step } from './agenda.ts';
import { ConnectionSight } from './connection-sight.ts';
import type { LaneEntry } from './lane-entry.ts';
import { LaneQueue, type Past } from './lane-queue.ts';
import { LaneStanding, type LaneRecord } from './lane-standing.ts';
import type { LaneTools } from './lane-tools.ts';
import { LaneWork, type Workplace } from './lane-work.ts';

/** How a lane came to this process. */
export interface Tenure {
  readonly epoch: number;
  readonly past: Past;
}

/** Outcomes being written while the next message goes out already, at most. */
const recordingsAtOnce = 16;

/**
 * The messages of one profile on their way to the network: one at a time, in order, `messageDelayMs` apart
 * (`docs/glossary.md`, send gate). Does what `agenda` says whenever something has changed.
 */
export class Lane implements Workplace {
  readonly profileId: string;
  readonly organizationId: string;
  readonly connection = new ConnectionSight();
  readonly queue: LaneQueue;
  readonly standing: LaneStanding;
  /** Grows only when sessions has met a newer one while the lease still stands. */
  epoch: number;
  readonly #tools: LaneTools;
  readonly #work: LaneWork;
  readonly #recording = new Set<Promise<void>>();
  readonly #recovered = Promise.withResolvers<void>();
  readonly #past: Past;
  /** When a message was last accepted, milliseconds of the monotonic clock. */
  usedAt = performance.now();
  #busy: Promise<void> | undefined;
  /** `left`: nothing more is begun. `lost`: of what was not handed over nothing is said any more either. */
  #end: 'left' | 'lost' | undefined;
  #isRecovering: boolean;
  #isReading = false;
  #isMiscounted = false;
  #cancelAlarm = (): void => undefined;

  constructor(record: LaneRecord, tools: LaneTools, { epoch, past }: Tenure) {
    const { profileId, organizationId } = record;
    this.profileId = profileId;
    this.organizationId = organizationId;
    this.queue = new LaneQueue(tools.sql, profileId, past);
    this.#tools = tools;
    this.standing = new LaneStanding(record, tools.records, tools.clock);
    this.epoch = epoch;
    this.#past = past;
    this.#isRecovering = past !== 'nothing';
    this.#work = new LaneWork(this, tools);
  }

  get policy(): SendingPolicy {
    return this.standing.policy;
  }
  get count(): GateCount {
    return this.standing.count;
  }
  get isOwned(): boolean {
    return this.#end !== 'lost' && this.#tools.mayOwn();
  }
  get mayHandOver(): boolean {
    return this.#end === undefined && this.#tools.mayOwn();
  }
  /** Records of what was handed over that are being written. */
  get recordings(): Iterable<Promise<void>> {
    return this.#recording;
  }
  get isIdle(): boolean {
    return this.queue.isEmpty && this.#isQuiet;
  }
  get #isQuiet(): boolean {
    return this.#busy === undefined && this.#recording.size === 0;
  }

  /** Reads the lane's row anew and goes by it from now on. */
  async refresh(): Promise<LaneRecord | undefined> {
    const record = await this.standing.refresh();
    this.advance();
    return record;
  }

  /** Another process has counted something: the count is read before anything else is begun. */
  miscounted(): void {
    this.#isMiscounted = true;
    this.advance();
  }

  /** Something was appended to a message of this lane. */
  noteEvents(events: readonly MessageEvent[]): void {
    for (const event of events) {
      this.standing.note(event);
      if (event.type === 'MessageSent') this.queue.drop(event.data.messageId);
    }
  }

  noteHandOver(at: number): void {
    this.standing.noteHandOver(at);
    if (this.connection.state === 'unknown') this.connection.seen(true, at);
  }

  /** A message was accepted. */
  enter(entry: LaneEntry): void {
    this.usedAt = performance.now();
    this.queue.enter(entry);
    this.advance();
  }

  /** An event of sessions told so. When the connection is back, what is unsettled is tried at once. */
  connected(isConnected: boolean, sequence: string, now: number): void {
    if (this.connection.told(isConnected, sequence, now)) this.queue.settleAnew();
    this.advance();
  }

  /** A message may have been accepted that nobody has told. @param pause until the table is looked at, milliseconds */
  suspect(pause: number): void {
    const { clock } = this.#tools;
    this.queue.suspect();
    clock.at(clock.now() + pause, () => this.advance());
  }

  /** Looks what is to be done now. Safe to call at any time. */
  advance(): void {
    if (!this.mayHandOver) return;
    this.#readOn();
    if (this.#isRecovering || this.#isMiscounted) return;
    const { clock } = this.#tools;
    const now = clock.now();
    this.connection.lookAgain(now);
    const { givenUp, next, wakeAt } = agenda(this.#sight(now));
    for (const { entry, failure } of givenUp) this.#giveUp(entry, failure);
    this.#cancelAlarm();
    this.#cancelAlarm = wakeAt === undefined ? () => undefined : clock.at(wakeAt, () => this.advance());
    if (next !== undefined && this.#busy === undefined && this.#recording.size < recordingsAtOnce) this.#begin(next);
  }

  async track(entry: LaneEntry, work: Promise<void>): Promise<void> {
    const tracked = work.catch((error: unknown) => this.#met(entry, error));
    this.#recording.add(tracked);
    await tracked;
    this.#recording.delete(tracked);
    this.advance();
  }

  /** Resolves when it is known what the table holds, or when the lane is not this process's any more. */
  async recovered(): Promise<void> {
    this.advance();
    if (this.#isRecovering) await this.#recovered.promise;
  }

  /** Begins nothing more. @returns when all that was begun is recorded, and what was being accepted is */
  async leave(): Promise<void> {
    this.#end ??= 'left';
    this.#cancelAlarm();
    this.#recovered.resolve();
    await this.queue.expectsNothing();
    while (!this.#isQuiet) await Promise.allSettled([this.#busy, ...this.#recording]);
  }

  /** The same at the end of a process that nobody takes over from: what waits for an answer is withdrawn. */
  async close(): Promise<void> {
    this.#end ??= 'left';
    for (const entry of this.queue.entries) {
      if (entry.mode === 'synchronous' && entry.phase === 'waiting') this.#giveUp(entry, failures.withdrawn);
    }
    await this.leave();
  }

  /** Another process may own the lane: only what the network said is still recorded. */
  lose(): void {
    this.#end = 'lost';
    this.#cancelAlarm();
    this.#recovered.resolve();
  }

  #sight(now: number): LaneSight {
    return {
      now,
      entries: this.queue.entries,
      gateOpensAt: this.standing.gateOpensAt,
      connection: this.connection.state,
      lookAgainAt: this.connection.lookAgainAt,
      closed: this.standing.isClosed,
      overLimit: this.standing.isOverLimit(now),
      timeToLive: this.#tools.timeToLive,
    };
  }

  #giveUp(entry: LaneEntry, error: Failure): void {
    this.queue.take(entry);
    void this.#work.giveUp(entry, { type: 'GiveUp', error, at: this.#tools.clock.now() });
  }

  #begin(step: Step): void {
    this.queue.take(step.entry);
    const work = this.#work.carryOut(step).catch((error: unknown) => this.#met(step.entry, error));
    this.#busy = work.finally(() => {
      this.#busy = undefined;
      this.advance();
    });
  }

  /** Reads what is missing in memory: messages, or the count. One at a time. */
  #readOn(): void {
    if (this.#isReading) return;
    if (this.queue.wantsMore) this.#read(() => this.#topUp());
    else if (this.#isMiscounted && this.#isQuiet) this.#read(() => this.#recount());
  }

  #read(work: () => Promise<void>): void {
    const { clock } = this.#tools;
    this.#isReading = true;
    const again = (): void => {
      this.#isReading = false;
      this.advance();
    };
    work().then(again, () => clock.at(clock.now() + 1000, again));
  }

  async #topUp(): Promise<void> {
    await this.queue.topUp();
    if (!this.#isRecovering) return;
    // What an owner that is gone has handed over last may have no record: the gate opens as if it had been just now.
    if (this.#past === 'gone' && !this.queue.isEmpty) this.standing.noteHandOver(this.#tools.clock.now());
    this.#isRecovering = false;
    this.#recovered.resolve();
  }

  async #recount(): Promise<void> {
    await this.standing.recount();
    this.#isMiscounted = false;
  }

  /** Goes on with an entry later when something unforeseen happened; a stop is nothing unforeseen. */
  #met(entry: LaneEntry, error: unknown): void {
    if (this.#tools.signal.aborted || !this.isOwned) return;
    const { clock, log } = this.#tools;
    const about = { profileId: this.profileId, messageId: entry.messageId };
    log.error('A message in its lane met an error', { ...about, reason: String(error) });
    this.queue.letRest(entry, clock.now());
  }
}
