import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf, type Logger } from '@messaging-gateway/runtime';

const retryMs = 300;
/** A shorter wait is not logged, and another reason is logged so long after the one before, milliseconds. */
const silentMs = 2_000;
/** The same reason is logged again so often, milliseconds. */
const reminderMs = 30_000;

export interface Waiting {
  /** For example `PostgreSQL at db:5432`. */
  readonly what: string;
  /** Resolves when it is there; throws with the reason when it is not. */
  readonly attempt: () => Promise<void>;
  /** The reason in words. Default: the error's. */
  readonly explain?: (error: unknown) => string;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Gives up after so many milliseconds. Default: never. */
  readonly patienceMs?: number;
}

/**
 * Tries again until a part that is needed is there. Logs for what it waits after 2 s, and again every 30 s, or 2 s later
 * when the reason has changed.
 *
 * @returns whether it is there; false: given up after `patienceMs`
 * @throws the signal's reason when it is aborted
 */
export async function waitFor({
  what,
  attempt,
  explain = reasonOf,
  log,
  signal,
  patienceMs = Infinity,
}: Waiting): Promise<boolean> {
  const begun = performance.now();
  let saidAt = -Infinity;
  let said = '';
  for (;;) {
    signal.throwIfAborted();
    try {
      await attempt();
      if (saidAt !== -Infinity) log.info(`${what} is there`);
      return true;
    } catch (error) {
      const now = performance.now();
      if (now - begun >= patienceMs) return false;
      const reason = explain(error);
      if (now - begun >= silentMs && now - saidAt >= (reason === said ? reminderMs : silentMs)) {
        log.warn(`Waiting for ${what}`, { reason });
        saidAt = now;
        said = reason;
      }
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Host and port of a connection string, without user and password. */
export function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return port === '' ? `${hostname} (${protocol.slice(0, -1)})` : `${hostname}:${port}`;
}
