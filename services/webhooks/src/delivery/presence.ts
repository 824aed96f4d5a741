import type { Logger } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import { v7 } from 'uuid';

const beatMs = 1000;
/** Seconds without a beat after which what a dispatcher had in hand is free again. */
const goneAfterSeconds = 4;
/** Without a beat for so long nothing more is begun, because another may believe us gone, milliseconds. */
const trustedMs = 3000;

export interface PresenceParts {
  readonly sql: Sql;
  readonly log: Logger;
  readonly now: () => number;
  /** After each beat: whether deliveries of others were freed. */
  readonly onBeat: (freed: boolean) => void;
}

/**
 * Says that this process delivers, and frees what others had in hand that are no longer there (a kill -9). It runs on
 * real time and on the server's clock: a test clock that jumps does not make a living process look dead.
 */
export class Presence {
  readonly id = v7();
  readonly #parts: PresenceParts;
  #beatAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
  }

  /** Nobody can believe us gone now. */
  get trusted(): boolean {
    return performance.now() - this.#beatAt < trustedMs;
  }

  async start(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => void this.#beatOrWarn(), beatMs).unref();
  }

  /** What is still in hand is free at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#free([this.id]);
  }

  async #beatOrWarn(): Promise<void> {
    try {
      await this.#beat();
    } catch (error) {
      this.#parts.log.warn('Dispatcher could not say that it is there', { reason: String(error) });
    }
  }

  async #beat(): Promise<void> {
    const begun = performance.now();
    const gone = await this.#parts.sql.query<{ id: string }>(
      `WITH here AS (
         INSERT INTO dispatchers (id, seen_at) VALUES ($1, clock_timestamp())
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
       )
       SELECT id FROM dispatchers WHERE id <> $1 AND seen_at < clock_timestamp() - make_interval(secs => $2)`,
      [this.id, goneAfterSeconds],
    );
    this.#beatAt = begun;
    const freed = gone.length > 0 && (await this.#free(gone.map(({ id }) => id))) > 0;
    this.#parts.onBeat(freed);
  }

  /** @returns how many deliveries */
  async #free(ids: readonly string[]): Promise<number> {
    const freed = await this.#parts.sql.query(
      `WITH gone AS (DELETE FROM dispatchers WHERE id = ANY ($1::uuid[]))
       UPDATE outstanding SET claimed_by = NULL, due_at = $2 WHERE claimed_by = ANY ($1::uuid[]) RETURNING 1`,
      [ids, new Date(this.#parts.now())],
    );
    return freed.length;
  }
}
