import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after so many milliseconds, or when the signal is given. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Resolves with the work, whatever becomes of it, but after so many milliseconds at the latest. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const limit = new AbortController();
  await Promise.race([work.catch(() => undefined), pause(ms, limit.signal)]);
  limit.abort();
}

/** Resolves when the signal is given. */
export const given = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
