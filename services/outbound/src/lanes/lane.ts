import { isUnavailable } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import type { Restriction } from '../gate/restriction.ts';
import { SendGate } from '../gate/send-gate.ts';
import type { LaneRecord, LaneRecords } from '../gate/lane-records.ts';
import { isKnown, isOpen, type Message } from '../message/message.ts';
import { agenda, failures, type LaneSight, type OpenMessage } from './agenda.ts';
import { askProfile, ConnectionSight } from './connection.ts';
import { Hold } from './hold.ts';
import { parcelOf, type Recorded } from './journal.ts';
import { LaneWork, type WorkTools } from './lane-work.ts';
import { LaneQueue } from './queue.ts';
import type { Tenure } from './owners.ts';

/** Parts that all lanes of a process share. */
export interface LaneTools extends WorkTools {
  readonly sql: Sql;
  readonly records: LaneRecords;
}

/** News for a lane beside its journal. */
export interface LaneNews {
  /** Sessions told so. @param sequence of the event: an older one than the last is no news */
  readonly connection?: { readonly isConnected: boolean; readonly sequence: string };
  /** A message as another process has written it. */
  readonly written?: Message;
  /** Sessions reported a restriction of the account; null: it ended. */
  readonly restriction?: Restriction | null;
}

/** Receivers that are found out about in one step. */
const maxFound = 200;

/** Outcomes being written while the next message goes out already, at most. */
const recordingsAtOnce = 16;

/**
 * The messages of one profile on their way to the network: one at a time, in order, `messageDelayMs` apart
 * (`docs/glossary.md`, send gate). It is fed by what is written of its messages, and does what `agenda` says whenever something
 * has changed.
 */
export class Lane {
  readonly profileId: string;
  readonly organizationId: string;
  readonly tenure: Tenure;
  readonly queue: LaneQueue;
  readonly gate: SendGate;
  readonly connection = new ConnectionSight();
  readonly hold: Hold;
  readonly #tools: LaneTools;
  readonly #work: LaneWork;
  readonly #recovered = Promise.withResolvers<void>();
  /** When a message was last accepted, milliseconds of the monotonic clock. */
  usedAt = performance.now();
  #busy: Promise<void> | undefined;
  #isRecovering: boolean;
  #isReading = false;
  #isMiscounted = false;
  #isFinding = false;
  /** Messages may be marked as held. */
  #isHolding = false;
  #cancelAlarm: (() => void) | undefined;

  constructor(record: LaneRecord, tools: LaneTools, tenure: Tenure) {
    const { profileId, organizationId } = record;
    this.profileId = profileId;
    this.organizationId = organizationId;
    this.tenure = tenure;
    this.queue = new LaneQueue(tools.sql, profileId, tenure.past);
    this.gate = new SendGate(record, tools.records, tools.clock);
    const { clock, strangers } = tools;
    this.hold = new Hold({ gate: this.gate, strangers, clock, onFound: () => this.tick() });
    this.#tools = tools;
    this.#isRecovering = tenure.past !== 'nothing';
    this.#work = new LaneWork(this, tools, () => this.tick());
  }

  /** Records of what was handed over that are being written. */
  get recordings(): Iterable<Promise<void>> {
    return this.#work.recordings;
  }
  get isIdle(): boolean {
    return this.queue.isEmpty && this.#isQuiet;
  }
  get #isQuiet(): boolean {
    return this.#busy === undefined && this.#work.recordings.size === 0;
  }

  /**
   * Accepts a message: it has its place in the order from now on, and the lane is not given up before it is known whether
   * it was accepted. What the journal takes comes by `apply`.
   *
   * @param deadline of whoever waits for what becomes of it
   */
  async admit<T>(messageId: string, deadline: number, append: () => Promise<T>): Promise<T> {
    this.queue.reserve(messageId, deadline);
    try {
      return await append();
    } catch (error) {
      // It may have been written all the same: the table tells.
      if (isUnavailable(error)) this.suspect(1000);
      throw error;
    } finally {
      this.queue.release(messageId);
    }
  }

  /** Takes in what this process has written of a message of the lane. */
  apply(recorded: Recorded): void {
    for (const event of recorded.events) {
      this.gate.apply(event);
      if (event.type === 'MessageAccepted') this.usedAt = performance.now();
    }
    if (this.queue.apply(recorded)) this.tick();
  }

  /** Takes in what others know. When the connection is back, what is unsettled is tried at once. */
  hear({ connection, written, restriction }: LaneNews): void {
    if (restriction !== undefined) this.#restrict(restriction ?? undefined);
    if (connection !== undefined) {
      const { isConnected, sequence } = connection;
      if (this.connection.told(isConnected, sequence, this.#tools.clock.now())) this.queue.settleAnew();
    }
    if (written !== undefined) {
      if (isKnown(written) && !isOpen(written)) this.queue.drop(written.facts.messageId);
      // The count is read before anything else is begun.
      this.#isMiscounted = true;
    }
    this.tick();
  }

  /** A message may have been accepted that nobody has told: the table is looked at. @param pause until then, milliseconds */
  suspect(pause = 0): void {
    const { clock } = this.#tools;
    this.queue.suspect();
    clock.at(clock.now() + pause, () => this.tick());
  }

  /** Looks what is to be done now. Safe to call at any time. */
  tick(): void {
    if (!this.tenure.mayHandOver()) return;
    this.#readOn();
    if (this.#isRecovering || this.#isMiscounted) return;
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    const entries = this.queue.free;
    if (entries.length === 0) return;
    const { clock, timeToLive } = this.#tools;
    const now = clock.now();
    this.connection.lookAgain(now);
    const { givenUp, next, wakeAt } = agenda({
      now,
      entries,
      gateOpensAt: this.gate.opensAt,
      connection: this.connection.state,
      lookAgainAt: this.connection.lookAgainAt,
      closed: this.gate.isClosed,
      overLimit: this.gate.isOverLimit(now),
      timeToLive,
      ...this.#holdFor(entries, now),
    });
    for (const { entry, failure } of givenUp) this.#work.giveUp(entry, failure);
    const isTurn = next !== undefined && this.#busy === undefined && this.#work.recordings.size < recordingsAtOnce;
    // What is alone and has its turn need not be woken.
    if (wakeAt !== undefined && !(isTurn && entries.length === 1))
      this.#cancelAlarm = clock.at(wakeAt, () => this.tick());
    if (isTurn)
      this.#busy = this.#work.carryOut(next).then(() => {
        this.#busy = undefined;
        this.tick();
      });
  }

  /** Resolves when it is known what the table holds, or when the lane is not this process's any more. */
  async recovered(): Promise<void> {
    this.tick();
    if (this.#isRecovering) await this.#recovered.promise;
  }

  /**
   * Begins nothing more.
   *
   * @param withdraw nobody takes over: what waits for an answer is withdrawn
   * @returns when all that was begun is recorded, and what was being accepted is
   */
  async leave(withdraw = false): Promise<void> {
    this.tenure.leave();
    this.#cancelAlarm?.();
    this.#recovered.resolve();
    for (const entry of withdraw ? this.queue.free : [])
      if (entry.mode === 'synchronous' && entry.phase === 'waiting') this.#work.giveUp(entry, failures.withdrawn);
    await this.queue.nothingReserved();
    while (!this.#isQuiet) await Promise.allSettled([this.#busy, ...this.#work.recordings]);
  }

  /** Another process may own the lane: only what the network said is still recorded. */
  lose(): void {
    this.tenure.lose();
    this.#cancelAlarm?.();
    this.#recovered.resolve();
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
      this.tick();
    };
    work().then(again, () => clock.at(clock.now() + 1000, again));
  }

  async #topUp(): Promise<void> {
    await this.queue.topUp();
    if (!this.#isRecovering) return;
    // What an owner that is gone has handed over last may have no record: the gate opens as if it had been just now.
    if (this.tenure.past === 'gone' && !this.queue.isEmpty) this.gate.handedOver(this.#tools.clock.now());
    this.#isRecovering = false;
    this.#recovered.resolve();
  }

  /** What is held of the lane's messages. What is not known yet is asked for, and waits. */
  #holdFor(entries: readonly OpenMessage[], now: number): Pick<LaneSight, 'hold'> {
    const { hold } = this;
    if (!hold.isActive) {
      if (this.#isHolding) for (const entry of entries) delete entry.isHeld;
      this.#isHolding = false;
      return {};
    }
    this.#isHolding = true;
    if (this.gate.isRecheckDue(now)) this.#recheck();
    this.#findStrangers(entries);
    for (const entry of entries) entry.isHeld = hold.of(entry) === 'held';
    // Messages behind those that are held have their turn.
    this.#readOn();
    return { hold: { lookAgainAt: hold.lookAgainAt, of: (entry) => hold.of(entry) } };
  }

  #restrict(restriction: Restriction | undefined): void {
    this.gate.restrict(restriction);
    if (restriction === undefined) for (const entry of this.queue.messages) delete entry.restrictedUntil;
  }

  #recheck(): void {
    // Until the answer comes nobody else asks.
    this.gate.restrict(this.gate.restrictionAt(this.#tools.clock.now()));
    askProfile(this.#tools, this).then(
      (profile) => {
        if (profile !== undefined) {
          this.gate.describe(profile);
          this.#restrict(profile.restriction);
        }
        this.tick();
      },
      () => undefined,
    );
  }

  /** Finds out in the background who among the receivers is a stranger. One request at a time. */
  #findStrangers(entries: readonly OpenMessage[]): void {
    const { clock, store, strangers } = this.#tools;
    if (this.#isFinding) return;
    const isOpen = ({ conversationId, parcel }: OpenMessage): boolean =>
      parcel === undefined || strangers.standingOf(conversationId) === undefined;
    const open = entries.filter(isOpen).slice(0, maxFound);
    if (open.length === 0) return;
    this.#isFinding = true;
    const find = async (): Promise<void> => {
      for (const entry of open) {
        entry.parcel ??= await parcelOf(entry, store);
        if (entry.parcel === undefined) this.queue.drop(entry.messageId);
      }
      const unknown = open.filter(({ conversationId }) => strangers.standingOf(conversationId) === undefined);
      await strangers.find(this, [...new Set(unknown.flatMap(({ parcel }) => parcel?.facts.to ?? []))]);
    };
    const again = (): void => {
      this.#isFinding = false;
      this.tick();
    };
    find().then(again, () => clock.at(clock.now() + 1000, again));
  }

  async #recount(): Promise<void> {
    await this.gate.recount();
    this.#isMiscounted = false;
  }
}
