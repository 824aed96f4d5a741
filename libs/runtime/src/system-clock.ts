import type { Clock } from './clock.ts';

/** The longest wait that a timer of Node takes, milliseconds. */
const longestTimer = 2 ** 31 - 1;

/**
 * A clock on a source of time.
 *
 * @param now milliseconds since 1970
 * @param onJump calls back whenever the source has jumped; @returns stops it
 */
export function clockOn(now: () => number, onJump: (listener: () => void) => () => void): Clock {
  const at = (time: number, callback: () => void): (() => void) => {
    let timer: NodeJS.Timeout;
    let stopListening = (): void => undefined;
    const cancel = (): void => {
      clearTimeout(timer);
      stopListening();
    };
    const arm = (): void => {
      clearTimeout(timer);
      const wait = Math.min(Math.max(time - now(), 0), longestTimer);
      timer = setTimeout(() => {
        if (now() < time) return arm();
        cancel();
        callback();
      }, wait);
      timer.unref();
    };
    stopListening = onJump(arm);
    arm();
    return cancel;
  };
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      const abort = (): void => {
        cancel();
        reject(signal?.reason as Error);
      };
      const cancel = at(now() + ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  return { now, at, sleep };
}

/** The time of this machine. */
export const systemClock: Clock = clockOn(
  () => Date.now(),
  () => () => undefined,
);
