import type { TestClock } from '@messaging-gateway/runtime';
import { nextReset } from '../time/clock.ts';

const roomMs = 15 * 60_000;

/** Moves a clock that is close to the end of a day of the daily limit to the next one: a test of a limit is about one day. */
export function notOverMidnight(clock: TestClock): void {
  const left = nextReset(clock.now()) - clock.now();
  if (left < roomMs) clock.advance(left);
}
