import type { Clock } from '@messaging-gateway/runtime';

/** Chatwoot tells in any order what is written within so long: it goes out in the order in which it was written, milliseconds. */
const gatheringMs = 500;
const stepMs = 100;
/** Nobody waits longer for what may still come, milliseconds. */
const longestMs = 5_000;

/**
 * Calls back when what was told in another order has come. Only time counts in which this process took in what was told: a step that
 * ends late is one in which it stood still, and what was told meanwhile stands before its door.
 *
 * @returns calls it off
 */
export function whenGathered(clock: Clock, callback: () => void): () => void {
  const until = clock.now() + longestMs;
  let left = gatheringMs / stepMs;
  let callOff = (): void => undefined;
  const step = (): void => {
    const end = clock.now() + stepMs;
    callOff = clock.at(end, () => {
      const now = clock.now();
      if (now - end < stepMs) left -= 1;
      if (left === 0 || now >= until) callback();
      else step();
    });
  };
  step();
  return () => callOff();
}
