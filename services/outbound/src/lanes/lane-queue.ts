import type { Sql } from '@messaging-gateway/service';
import type { SendMode } from '../message/message-events.ts';
import type { LaneEntry } from './lane-entry.ts';

/** Durable messages of a lane held in memory, at most; the others wait in the table. */
const windowSize = 200;

interface QueueRow {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly mode: SendMode;
  readonly accepted_at: Date;
  readonly outcome_lost: boolean;
  readonly due_at: Date | null;
}

/** The open messages of a lane in the order of acceptance: a window in memory on the table `queue`. */
export class LaneQueue {
  readonly #sql: Sql;
  readonly #profileId: string;
  readonly #order = new Map<string, number>();
  /** Accepted just now or about to be: they come by `enter`. */
  readonly #expected = new Set<string>();
  /** Being handed over or recorded: still in the table, but no more to be taken. */
  readonly #taken = new Map<string, LaneEntry>();
  #entries: LaneEntry[] = [];
  #next = 0;
  /** The table may hold more than is here. */
  #more: boolean;
  #entered = 0;
  #reading: Promise<void> | undefined;

  constructor(sql: Sql, profileId: string, options: { readonly more: boolean }) {
    this.#sql = sql;
    this.#profileId = profileId;
    this.#more = options.more;
  }

  get entries(): readonly LaneEntry[] {
    return this.#entries;
  }

  get isEmpty(): boolean {
    return !this.#more && this.#entries.length === 0 && this.#taken.size === 0 && this.#expected.size === 0;
  }

  expect(messageId: string): void {
    this.#expected.add(messageId);
  }

  /** What was expected was not accepted. */
  dismiss(messageId: string): void {
    this.#expected.delete(messageId);
  }

  /** A message was accepted. A durable one beyond the window stays in the table until its turn comes near. */
  enter(entry: LaneEntry): void {
    this.#expected.delete(entry.messageId);
    this.#entered += 1;
    if (entry.mode === 'durable' && (this.#more || this.#entries.length >= windowSize)) {
      this.#more = true;
      return;
    }
    this.#append(entry);
  }

  /** Takes a message out of turn order while it is handed over or recorded. */
  take(entry: LaneEntry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
    this.#taken.set(entry.messageId, entry);
  }

  /** Puts it back in its old place. */
  putBack(entry: LaneEntry): void {
    if (!this.#taken.delete(entry.messageId)) return;
    const place = this.#orderOf(entry);
    const index = this.#entries.findIndex((other) => this.#orderOf(other) > place);
    this.#entries.splice(index === -1 ? this.#entries.length : index, 0, entry);
  }

  /** It is settled and has left the table. */
  finish(entry: LaneEntry): void {
    this.#taken.delete(entry.messageId);
    this.#order.delete(entry.messageId);
  }

  /** The table may hold something that is not known here. */
  suspect(): void {
    this.#more = true;
  }

  /** Reads on when memory runs low. @returns whether something came in */
  async topUp(): Promise<boolean> {
    if (!this.#more || this.#entries.length >= windowSize / 4) return false;
    const before = this.#entries.length;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    await this.#reading;
    return this.#entries.length > before;
  }

  async #read(): Promise<void> {
    const entered = this.#entered;
    const limit = windowSize + this.#entries.length + this.#taken.size + this.#expected.size;
    const rows = await this.#sql.query<QueueRow>(
      `select message_id, conversation_id, mode, accepted_at, outcome_lost, due_at from queue
       where profile_id = $1 order by place limit $2`,
      [this.#profileId, limit],
    );
    for (const row of rows) if (!this.#isKnown(row.message_id)) this.#append(entryOf(row));
    // What was accepted after the statement began may be missing in its rows.
    if (rows.length < limit && entered === this.#entered) this.#more = false;
  }

  #isKnown(messageId: string): boolean {
    return this.#expected.has(messageId) || this.#order.has(messageId);
  }

  #append(entry: LaneEntry): void {
    if (this.#order.has(entry.messageId)) return;
    this.#order.set(entry.messageId, this.#next);
    this.#next += 1;
    this.#entries.push(entry);
  }

  #orderOf(entry: LaneEntry): number {
    return this.#order.get(entry.messageId) ?? this.#next;
  }
}

/** A synchronous message that is in the table only comes from a process that is gone: it may have left. */
const entryOf = (row: QueueRow): LaneEntry => ({
  messageId: row.message_id,
  conversationId: row.conversation_id,
  mode: row.mode,
  acceptedAt: row.accepted_at.getTime(),
  phase: row.outcome_lost || row.mode === 'synchronous' ? 'unsettled' : 'waiting',
  ...(row.due_at !== null && { dueAt: row.due_at.getTime() }),
  settlements: 0,
});
