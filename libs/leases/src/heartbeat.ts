import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@messaging-gateway/runtime';
import type { LeaseSql } from './lease.ts';

export interface HeartbeatParts {
  readonly sql: LeaseSql;
  readonly replicaId: string;
  /** A replica whose last heartbeat is older than this is dead to the others, milliseconds. */
  readonly ttlMs: number;
  readonly log: Logger;
  /** Milliseconds that never jump. */
  readonly monotonic: () => number;
  /** The database has not heard of this replica for two thirds of the time to live. */
  readonly onLost: () => void;
}

/** Heartbeat interval, milliseconds: at most 3 s, and at least three heartbeats within a time to live. */
const beatEvery = (ttlMs: number): number => Math.min(3_000, ttlMs / 3);

/** A replica that could not renew for so long lets go, well before others may think it dead, milliseconds. */
export const letGoAfter = (ttlMs: number): number => (ttlMs * 2) / 3;

/** Renews; a run of heartbeats that was interrupted for a whole time to live begins anew. */
const renewal = `
  INSERT INTO replicas AS mine (id, heartbeat_at, beating_since) VALUES ($1, clock_timestamp(), clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET heartbeat_at = clock_timestamp(), beating_since = CASE
    WHEN mine.heartbeat_at > clock_timestamp() - make_interval(secs => $2) THEN mine.beating_since ELSE clock_timestamp() END`;

/**
 * Writes at a fixed interval, 3 s by default, that this replica lives: one row per replica. After an outage it counts as steady only when
 * its heartbeats have succeeded for a whole time to live; otherwise an outage of the database would end in everyone
 * claiming everything.
 */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  readonly #letGoMs: number;
  readonly #beatMs: number;
  #timer: NodeJS.Timeout | undefined;
  #beating = false;
  #lastBeat: number | undefined;
  #steadySince: number | undefined;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#letGoMs = letGoAfter(parts.ttlMs);
    this.#beatMs = beatEvery(parts.ttlMs);
  }

  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => void this.beat(), this.#beatMs / 3).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#parts.sql.query('DELETE FROM replicas WHERE id = $1', [this.#parts.replicaId]).catch(() => undefined);
  }

  /** May judge others: its own heartbeats have succeeded for a whole time to live. */
  isSteady(): boolean {
    return (
      this.#steadySince !== undefined &&
      this.isAlive() &&
      this.#parts.monotonic() - this.#steadySince >= this.#parts.ttlMs
    );
  }

  /** May go on with what it holds. */
  isAlive(): boolean {
    return this.#lastBeat !== undefined && this.#parts.monotonic() - this.#lastBeat < this.#letGoMs;
  }

  /** One look: renews when it is time, lets go when renewing has failed for too long. */
  async beat(): Promise<void> {
    this.#letGoWhenLate();
    const now = this.#parts.monotonic();
    const isDue = this.#lastBeat === undefined || now - this.#lastBeat >= this.#beatMs - 100;
    if (this.#beating || !isDue) return;
    this.#beating = true;
    const settled = new AbortController();
    // A database that does not answer at all must not keep the next heartbeat from being tried.
    await Promise.race([
      this.#renew(now),
      sleep(this.#beatMs, undefined, { ref: false, signal: settled.signal }),
    ]).catch(() => undefined);
    settled.abort();
    this.#beating = false;
    this.#letGoWhenLate();
  }

  async #renew(asked: number): Promise<void> {
    try {
      await this.#parts.sql.query(renewal, [this.#parts.replicaId, this.#parts.ttlMs / 1000]);
    } catch (error) {
      return this.#parts.log.warn('Heartbeat failed', { reason: (error as Error).message });
    }
    // The time of asking counts: an answer that came late says nothing about now.
    if (this.#parts.monotonic() - asked >= this.#letGoMs) return;
    this.#lastBeat = Math.max(asked, this.#lastBeat ?? asked);
    this.#steadySince ??= asked;
  }

  #letGoWhenLate(): void {
    if (this.#steadySince === undefined || this.isAlive()) return;
    this.#steadySince = undefined;
    this.#parts.onLost();
  }
}
