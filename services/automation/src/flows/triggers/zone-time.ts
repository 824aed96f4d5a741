import { wallInstant } from '@messaging-gateway/runtime';

const dayMs = 86_400_000;

const offset = (zone: string, time: number): number => wallInstant(zone, time) - time;

/**
 * The first instant at which the clocks of a zone show something; where they are put forward over it, the instant at which that is
 * done.
 *
 * @param wall as `wallInstant` answers it
 */
export function instantAt(zone: string, wall: number): number {
  const [before, after] = [offset(zone, wall - dayMs), offset(zone, wall + dayMs)];
  const found = [wall - before, wall - after].filter((time) => wallInstant(zone, time) === wall);
  if (found.length > 0) return Math.min(...found);
  let [low, high] = [wall - after, wall - before];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
