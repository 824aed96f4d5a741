import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf, type Logger } from '@messaging-gateway/runtime';

const retryMs = 300;
/** A wait that is over so soon is not said, milliseconds. */
const silentMs = 2_000;
/** A part that stays away is named again so often, milliseconds. */
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
 * Tries again until a part that is needed is there, and says for what it waits: after two seconds, and
 * again every half minute.
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
  for (;;) {
    signal.throwIfAborted();
    try {
      await attempt();
      if (saidAt !== -Infinity) log.info(`${what} is there`);
      return true;
    } catch (error) {
      const now = performance.now();
      if (now - begun >= patienceMs) return false;
      if (now - begun >= silentMs && now - saidAt >= reminderMs) {
        log.warn(`Waiting for ${what}`, { reason: explain(error) });
        saidAt = now;
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
