import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf, type Logger } from '@messaging-gateway/runtime';

/** A start waits so long for a database that takes connections, and is slow with them, milliseconds. */
const patienceMs = 120_000;
const pauseMs = 500;
const reminderMs = 30_000;

/** Words of `pg` and its pool for a connection, or an answer, that did not come in time. */
const inTime =
  /timeout expired|timeout exceeded when trying to connect|terminated due to connection timeout|Query read timeout/;

const isSlow = (error: unknown): boolean =>
  error instanceof Error && (inTime.test(error.message) || (error.cause !== undefined && isSlow(error.cause)));

export interface SlowStart {
  /** For example `PostgreSQL at db:5432`. */
  readonly what: string;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does what a start needs of the database, and again when the database was too slow, for two minutes: it says that it waits, at once and every half
 * minute. What is done has to leave nothing behind when it fails.
 *
 * @throws what `work` throws: at once when the database was not slow, but away, or refused it; the signal's reason
 */
export async function whileSlow<T>(work: () => Promise<T>, { what, log, signal }: SlowStart): Promise<T> {
  const begun = performance.now();
  let saidAt = -Infinity;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const done = await work();
      if (saidAt !== -Infinity) log.info(`${what} answers`);
      return done;
    } catch (error) {
      const now = performance.now();
      if (!isSlow(error) || now - begun >= patienceMs) throw error;
      if (now - saidAt >= reminderMs) {
        log.warn(`${what} answers slowly: the start waits for it`, { reason: reasonOf(error), patienceMs });
        saidAt = now;
      }
    }
    await delay(pauseMs, undefined, signal && { signal }).catch(() => undefined);
  }
}
