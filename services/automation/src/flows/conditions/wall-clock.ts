import { wallInstant } from '@messaging-gateway/runtime';

/** Day and time on the clocks of a zone. */
export interface WallTime {
  /** 1 Monday to 7 Sunday. */
  readonly day: number;
  /** Since midnight, by the clock. */
  readonly minutes: number;
}

/** @param time milliseconds since 1970 */
export function wallTime(zone: string, time: number): WallTime {
  const shown = new Date(wallInstant(zone, time));
  return { day: shown.getUTCDay() || 7, minutes: shown.getUTCHours() * 60 + shown.getUTCMinutes() };
}

/** `HH:MM` as minutes since midnight. */
export const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
