import type { Logger } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';

export const ttlMs = 9_000;
const beatMs = 3_000;
/** An owner that could not renew for so long lets go, before others may think it dead. */
const letGoMs = (ttlMs * 2) / 3;

export interface HeartbeatParts {
  readonly sql: Sql;
  readonly replicaId: string;
  readonly log: Logger;
  /** Milliseconds that never jump. */
  readonly monotonic?: () => number;
  /** The database has not heard of this replica for two thirds of the time to live. */
  readonly onLost: () => void;
}

/**
 * Says every three seconds that this replica lives (architecture §6): one row per replica. After an outage it counts as
 * steady only when its heartbeats have succeeded for a whole time to live; otherwise an outage of the database would
 * end in everyone claiming everything.
 */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #beating = false;
  #lastBeat: number | undefined;
  #steadySince: number | undefined;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#now = parts.monotonic ?? (() => performance.now());
  }

  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => void this.beat(), beatMs / 3).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#parts.sql.query('delete from replicas where id = $1', [this.#parts.replicaId]).catch(() => undefined);
  }

  /** May claim: its own heartbeats have succeeded for a whole time to live. */
  isSteady(): boolean {
    return this.#steadySince !== undefined && this.isAlive() && this.#now() - this.#steadySince >= ttlMs;
  }

  /** May go on with what it holds. */
  isAlive(): boolean {
    return this.#lastBeat !== undefined && this.#now() - this.#lastBeat < letGoMs;
  }

  /** One look: renews when it is time, lets go when renewing has failed for too long. */
  async beat(): Promise<void> {
    this.#letGoWhenLate();
    const isDue = this.#lastBeat === undefined || this.#now() - this.#lastBeat >= beatMs - 100;
    if (this.#beating || !isDue) return;
    this.#beating = true;
    const asked = this.#now();
    try {
      await this.#parts.sql.query(
        'insert into replicas (id, heartbeat_at) values ($1, clock_timestamp()) on conflict (id) do update set heartbeat_at = clock_timestamp()',
        [this.#parts.replicaId],
      );
      // The time of asking counts: an answer that came late says nothing about now.
      this.#lastBeat = asked;
      this.#steadySince ??= asked;
    } catch (error) {
      this.#parts.log.warn('Heartbeat failed', { reason: (error as Error).message });
    } finally {
      this.#beating = false;
      this.#letGoWhenLate();
    }
  }

  #letGoWhenLate(): void {
    if (this.#steadySince === undefined || this.isAlive()) return;
    this.#steadySince = undefined;
    this.#parts.onLost();
  }
}
