import type { Sql } from '@messaging-gateway/service';
import type { SendMode } from '../message/message-events.ts';
import { letRest, turnPatience, type LaneEntry } from './lane-entry.ts';

/** What the table may hold of a lane: nothing, what an owner left in order, or what one left that is gone. */
export type Past = 'nothing' | 'left' | 'gone';

/** Durable messages of a lane held in memory, at most; the others wait in the table. */
const windowSize = 200;

interface QueueRow {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly mode: SendMode;
  readonly accepted_at: Date;
  readonly outcome_lost: boolean;
  readonly attempts: number;
  readonly due_at: Date | null;
  readonly traceparent: string | null;
  readonly is_change: boolean;
}

/** The open messages of a lane in the order of acceptance: a window in memory on the table `queue`. */
export class LaneQueue {
  readonly #sql: Sql;
  readonly #profileId: string;
  readonly #order = new Map<string, number>();
  /** Accepted just now or about to be, with the order in which they were asked for: they come by `enter`. */
  readonly #expected = new Map<string, number>();
  /** Being handed over or recorded: still in the table, but no more to be taken. */
  readonly #taken = new Map<string, LaneEntry>();
  /** Settled by a receipt while they were taken. */
  readonly #settled = new Set<string>();
  #entries: LaneEntry[] = [];
  #next = 0;
  /** The table may hold more than is here. */
  #more: boolean;
  /** Whose rows are being read. */
  #past: Past;
  #entered = 0;
  #onNothingExpected: (() => void)[] = [];

  constructor(sql: Sql, profileId: string, past: Past) {
    this.#sql = sql;
    this.#profileId = profileId;
    this.#past = past;
    this.#more = past !== 'nothing';
  }

  get entries(): readonly LaneEntry[] {
    return this.#entries;
  }

  get isEmpty(): boolean {
    return !this.#more && this.#entries.length === 0 && this.#taken.size === 0 && this.#expected.size === 0;
  }

  knows(messageId: string): boolean {
    return this.#order.has(messageId) || this.#expected.has(messageId) || this.#taken.has(messageId);
  }

  /** Nothing is here of which only an owner that is gone knows whether it was handed over. */
  get isAccountedFor(): boolean {
    if (this.#more) return this.#past === 'left';
    return this.#taken.size === 0 && !this.#entries.some((entry) => entry.isUnaccounted);
  }

  expect(messageId: string): void {
    this.#expected.set(messageId, this.#next);
    this.#next += 1;
  }

  /** What was expected was accepted and has entered, or was not accepted. */
  dismiss(messageId: string): void {
    this.#expected.delete(messageId);
    if (this.#expected.size > 0) return;
    for (const resolve of this.#onNothingExpected.splice(0)) resolve();
  }

  async expectsNothing(): Promise<void> {
    while (this.#expected.size > 0) await new Promise<void>((resolve) => this.#onNothingExpected.push(resolve));
  }

  /** A message was accepted. A durable one beyond the window stays in the table until its turn comes near. */
  enter(entry: LaneEntry): void {
    const asked = this.#expected.get(entry.messageId) ?? this.#next;
    this.#expected.delete(entry.messageId);
    this.#entered += 1;
    if (entry.mode === 'durable' && (this.#more || this.#entries.length >= windowSize)) {
      this.#more = true;
      return;
    }
    this.#insert(entry, asked);
  }

  /** Takes a message out of turn order while it is handed over or recorded. */
  take(entry: LaneEntry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
    this.#taken.set(entry.messageId, entry);
  }

  /** Puts it back in its old place, unless a receipt has settled it meanwhile. */
  putBack(entry: LaneEntry): void {
    if (this.#settled.has(entry.messageId)) return this.finish(entry);
    if (!this.#taken.delete(entry.messageId)) return;
    const order = this.#orderOf(entry);
    this.#order.delete(entry.messageId);
    this.#insert(entry, order);
  }

  /** Puts it back, for a wait that grows with each unforeseen error. */
  letRest(entry: LaneEntry, now: number): void {
    letRest(entry, now);
    this.putBack(entry);
  }

  /** It is settled and has left the table. */
  finish(entry: LaneEntry): void {
    this.#settled.delete(entry.messageId);
    this.#taken.delete(entry.messageId);
    this.#order.delete(entry.messageId);
  }

  /** A receipt has settled it, before its turn or while it is taken. */
  drop(messageId: string): void {
    if (this.#taken.has(messageId)) return void this.#settled.add(messageId);
    if (!this.#order.has(messageId)) return;
    this.#entries = this.#entries.filter((entry) => entry.messageId !== messageId);
    this.#order.delete(messageId);
  }

  /** What is unsettled has all its tries again, from now on. */
  settleAnew(): void {
    for (const entry of this.#entries) {
      if (entry.phase === 'waiting') continue;
      entry.settlements = 0;
      delete entry.dueAt;
    }
  }

  /** The table may hold something that is not known here. */
  suspect(): void {
    this.#more = true;
  }

  /** Memory runs low, and the table may hold more. */
  get wantsMore(): boolean {
    return this.#more && this.#entries.length < windowSize / 4;
  }

  /** Reads on until memory holds enough or the table no more. One call at a time. */
  async topUp(): Promise<void> {
    while (this.wantsMore) await this.#read();
  }

  async #read(): Promise<void> {
    const entered = this.#entered;
    const limit = windowSize + this.#entries.length + this.#taken.size + this.#expected.size;
    const rows = await this.#sql.query<QueueRow>(
      `select message_id, conversation_id, mode, accepted_at, outcome_lost, attempts, due_at, traceparent, is_change from queue
       where profile_id = $1 order by place limit $2`,
      [this.#profileId, limit],
    );
    this.#takeIn(rows);
    // What was accepted after the statement began may be missing in its rows.
    if (rows.length >= limit || entered !== this.#entered) return;
    this.#more = false;
    // Whatever the table shows later, nobody has left in order.
    this.#past = 'gone';
  }

  /**
   * Rows come in the order of the table. A message still expected stands where its row stands; one without a row is
   * accepted after all of them, however early it was asked for.
   */
  #takeIn(rows: readonly QueueRow[]): void {
    const later = new Set(this.#expected.keys());
    let joined = false;
    for (const row of rows) {
      if (this.#order.has(row.message_id)) continue;
      if (later.delete(row.message_id)) {
        this.expect(row.message_id);
      } else {
        this.#insert(entryOf(row, this.#past), this.#next);
        joined = true;
      }
    }
    if (joined) for (const messageId of later) this.expect(messageId);
  }

  #insert(entry: LaneEntry, order: number): void {
    if (this.#order.has(entry.messageId)) return;
    this.#order.set(entry.messageId, order);
    this.#next = Math.max(this.#next, order + 1);
    const after = this.#entries.findLastIndex((other) => this.#orderOf(other) < order);
    this.#entries.splice(after + 1, 0, entry);
  }

  #orderOf(entry: LaneEntry): number {
    return this.#order.get(entry.messageId) ?? this.#next;
  }
}

/**
 * A synchronous message that is in the table only is on nobody's mind any more. Its owner is gone: it may have left.
 * Its owner left in order: it was not handed over, and whoever asked for it has moved along.
 */
function entryOf(row: QueueRow, past: Past): LaneEntry {
  const acceptedAt = row.accepted_at.getTime();
  const isUnaccounted = row.mode === 'synchronous' && !row.outcome_lost && past !== 'left';
  return {
    messageId: row.message_id,
    conversationId: row.conversation_id,
    mode: row.mode,
    ...(row.is_change && { isChange: true }),
    acceptedAt,
    phase: row.outcome_lost || isUnaccounted ? 'unsettled' : 'waiting',
    ...(row.mode === 'synchronous' && { turnBy: acceptedAt + turnPatience }),
    ...(row.due_at !== null && { dueAt: row.due_at.getTime() }),
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    ...(isUnaccounted && { isUnaccounted }),
    attempts: row.attempts,
    settlements: 0,
  };
}
