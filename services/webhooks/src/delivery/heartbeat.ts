import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import { v7 } from 'uuid';
import { keyOf, type Delivery } from './delivery.ts';
import { claimedBy, freeStrays } from './outstanding.ts';

const beatMs = 1000;
/** Seconds without a beat after which what a dispatcher had in hand is free again. */
const goneAfterSeconds = 4;
/** Without a beat for so long nothing more is begun, because another may believe us gone, milliseconds. */
const trustedMs = 3000;
/** The server's clock may go so much faster than ours between two beats; by more it has jumped, milliseconds. */
const jumpMs = 1_000;
/** A dispatcher is forgotten so long after it was last seen: a claim of its last moment may become visible late. */
const forgottenAfterSeconds = 60;
/** How often claims are looked for whose dispatcher nobody remembers, milliseconds. */
const orphansEveryMs = 60_000;

/** A beat, and what it has brought to light. */
export interface Beat {
  /** Deliveries of others were freed. */
  readonly freed: boolean;
  /** Whether there was no beat for so long that others may have taken what this process had in hand. */
  readonly lapsed: boolean;
}

export interface HeartbeatParts {
  readonly sql: Sql;
  readonly log: Logger;
  readonly now: () => number;
  readonly onBeat: (beat: Beat) => void;
  /** No other process delivers beside this one: what others have left behind is free at the start. Default false. */
  readonly isAlone?: boolean;
  /** Milliseconds that never jump. */
  readonly monotonic?: () => number;
}

/**
 * Says that this process delivers, and frees what others had in hand that are no longer there (a kill -9). It runs on
 * real time and on the server's clock: a test clock that jumps does not make a living process look dead. Nobody frees
 * anything before its own beats have succeeded for as long as others are given: after an outage of the database, or a
 * jump of its clock, everybody looks gone, and the living must have had the time to say that they are there.
 */
export class Heartbeat {
  readonly id = v7();
  readonly #parts: HeartbeatParts;
  readonly #monotonic: () => number;
  #beatAt = -Infinity;
  /** The server's time at that beat. */
  #serverAt = -Infinity;
  /** Since then without a gap. */
  #steadySince = Infinity;
  #present = 1;
  #lapses = 0;
  #orphansFreedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#monotonic = parts.monotonic ?? (() => performance.now());
  }

  /** Dispatchers that are there, this one included. */
  get present(): number {
    return this.#present;
  }

  /** How often others may have taken what this process had in hand: claims from before such a moment are void. */
  get lapses(): number {
    return this.#lapses;
  }

  /** Whether nobody can believe this process gone now. */
  get trusted(): boolean {
    return this.#monotonic() - this.#beatAt < trustedMs;
  }

  async start(): Promise<void> {
    await this.beat();
    if (this.#parts.isAlone === true) await this.#freeAll();
    this.#timer = setInterval(() => void this.#beatOrWarn(), beatMs).unref();
  }

  async #freeAll(): Promise<void> {
    const { sql, now } = this.#parts;
    await sql.query('UPDATE outstanding SET claimed_by = NULL, due_at = $2 WHERE claimed_by <> $1', [
      this.id,
      new Date(now()),
    ]);
    await sql.query('DELETE FROM dispatchers WHERE id <> $1', [this.id]);
  }

  /** Says goodbye: what is still in hand is free at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#free([this.id], 0);
  }

  async #beatOrWarn(): Promise<void> {
    try {
      await this.beat();
    } catch (error) {
      this.#parts.log.warn('Dispatcher could not say that it is there', { reason: String(error) });
    }
  }

  /** Says it once, as `start` has it done each second. For tests that move the time. */
  async beat(): Promise<void> {
    const begun = this.#monotonic();
    const rows = await this.#parts.sql.query<{ id: string; gone: boolean; at: number }>(
      `WITH here AS (
         INSERT INTO dispatchers (id, seen_at) VALUES ($1, clock_timestamp())
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
       )
       SELECT id, seen_at < clock_timestamp() - make_interval(secs => $2) AS gone,
         (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at
        FROM dispatchers WHERE id <> $1
       UNION ALL SELECT $1::uuid, false, (extract(epoch FROM clock_timestamp()) * 1000)::float8`,
      [this.id, goneAfterSeconds],
    );
    const others = rows.filter(({ id }) => id !== this.id);
    const serverAt = rows.find(({ id }) => id === this.id)?.at ?? 0;
    if (begun < this.#beatAt) return; // a later one was faster
    const lapsed = begun - this.#beatAt >= trustedMs;
    if (lapsed) {
      this.#steadySince = begun;
      this.#lapses += 1;
    }
    // A statement that waited looks like a jump as well, and costs no more than another few seconds of patience.
    if (Math.abs(serverAt - this.#serverAt - (begun - this.#beatAt)) > jumpMs) this.#steadySince = begun;
    this.#serverAt = serverAt;
    this.#beatAt = begun;
    const gone = others.filter((other) => other.gone).map(({ id }) => id);
    this.#present = 1 + others.length - gone.length;
    const freed = begun - this.#steadySince >= goneAfterSeconds * 1000 && (await this.#freeOthers(gone));
    this.#parts.onBeat({ freed, lapsed });
  }

  /** @returns whether there was anything */
  async #freeOthers(gone: readonly string[]): Promise<boolean> {
    let freed = gone.length > 0 ? await this.#free(gone, forgottenAfterSeconds) : 0;
    const now = this.#monotonic();
    if (now - this.#orphansFreedAt >= orphansEveryMs) {
      freed += await this.#freeOrphans();
      this.#orphansFreedAt = now;
    }
    return freed > 0;
  }

  /**
   * A claim that was committed when its dispatcher had said goodbye, or was forgotten, is nobody's. Whoever claims is
   * known before; so an id that a first look does not know stays unknown until the second statement.
   *
   * @returns how many deliveries
   */
  async #freeOrphans(): Promise<number> {
    const unknown = await this.#parts.sql.query<{ id: string }>(
      `SELECT DISTINCT claimed_by AS id FROM outstanding o
        WHERE claimed_by IS NOT NULL AND claimed_by <> $1 AND NOT EXISTS (SELECT FROM dispatchers d WHERE d.id = o.claimed_by)`,
      [this.id],
    );
    return unknown.length === 0
      ? 0
      : this.#free(
          unknown.map(({ id }) => id),
          0,
        );
  }

  /** @returns how many deliveries */
  async #free(ids: readonly string[], unseenForSeconds: number): Promise<number> {
    const freed = await this.#parts.sql.query(
      `WITH gone AS (
         DELETE FROM dispatchers
          WHERE id = ANY ($1::uuid[]) AND seen_at <= clock_timestamp() - make_interval(secs => $3)
       )
       UPDATE outstanding SET claimed_by = NULL, due_at = $2 WHERE claimed_by = ANY ($1::uuid[]) RETURNING 1`,
      [ids, new Date(this.#parts.now()), unseenForSeconds],
    );
    return freed.length;
  }
}

type Key = Pick<Delivery, 'webhookId' | 'eventId'>;

export interface StraysParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly dispatcherId: () => string;
  readonly inHand: () => ReadonlySet<string>;
}

/** Between the two looks, milliseconds of real time: a claim that is just being answered is in hand by then. */
const apartMs = 5000;

/**
 * Finds deliveries that the table gives to this process and that it does not have: the statement that claimed them
 * was committed, but the connection broke before its answer. Looks only after such a break, and twice.
 */
export class Strays {
  readonly #parts: StraysParts;
  #suspectedAt: number | undefined;
  #suspects: ReadonlySet<string> | undefined;

  constructor(parts: StraysParts) {
    this.#parts = parts;
  }

  /** The database broke off. */
  suspect(): void {
    this.#suspectedAt = performance.now();
    this.#suspects = undefined;
  }

  /** Called now and then. @returns whether any were given back */
  async look(): Promise<boolean> {
    if (this.#suspectedAt === undefined || performance.now() - this.#suspectedAt < apartMs) return false;
    const { sql, clock, dispatcherId, inHand } = this.#parts;
    const held = inHand();
    const unknown = (await claimedBy(sql, dispatcherId())).filter((key) => !held.has(keyOf(key)));
    const before = this.#suspects;
    if (before === undefined) return this.#remember(unknown);
    this.#suspectedAt = undefined;
    this.#suspects = undefined;
    const strays = unknown.filter((key) => before.has(keyOf(key)));
    if (strays.length > 0) await freeStrays(sql, strays, dispatcherId(), clock.now());
    return strays.length > 0;
  }

  #remember(unknown: readonly Key[]): false {
    this.#suspects = new Set(unknown.map(keyOf));
    this.#suspectedAt = unknown.length > 0 ? performance.now() : undefined;
    return false;
  }
}
