import type { Clock } from './clock.ts';
import { clockOn } from './clock-on.ts';

/** The time of this machine. */
export const systemClock: Clock = clockOn(
  () => Date.now(),
  () => () => undefined,
);
