import type { QuietHoursOf } from '@messaging-gateway/contracts';
import { wallInstant } from '@messaging-gateway/runtime';
import { zonesOf } from './zones.ts';

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** Time on the clocks of a zone, minutes since midnight. */
function wallMinutes(zone: string, time: number): number {
  const shown = new Date(wallInstant(zone, time));
  return shown.getUTCHours() * 60 + shown.getUTCMinutes();
}

/** Quiet from `from` until before `to`, over midnight when `from` is the later one; equal ones are no time at all. */
function isQuiet({ from, to }: QuietHoursOf, minutes: number): boolean {
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  return begin <= end ? minutes >= begin && minutes < end : minutes >= begin || minutes < end;
}

/** Zones that the quiet hours of a person are judged by. @param key of `zoneKeyOf` */
const zonesFor = ({ timezone }: QuietHoursOf, key: string): readonly string[] =>
  timezone === 'recipient' ? zonesOf(key) : [timezone];

/** Whether a person may be written to: it is no quiet time in any of the zones. */
export function isAwake(quiet: QuietHoursOf | undefined, key: string, time: number): boolean {
  if (quiet === undefined) return true;
  return zonesFor(quiet, key).every((zone) => !isQuiet(quiet, wallMinutes(zone, time)));
}

/**
 * When that changes next: found by looking at each minute, so that it is right however clocks are changed.
 *
 * @returns milliseconds since 1970; Infinity when it does not change within two days
 */
export function changesAt(quiet: QuietHoursOf | undefined, key: string, time: number): number {
  if (quiet === undefined) return Infinity;
  const name = JSON.stringify([quiet.from, quiet.to, quiet.timezone, key]);
  const found = spans.get(name);
  if (found !== undefined && time >= found.from && time < found.until) return found.until;
  const until = findChange(quiet, key, time);
  if (spans.size >= mostSpans) spans.clear();
  spans.set(name, { from: time, until });
  return until;
}

/** Spans of time in which nothing changes, remembered: one is asked for with each message. */
const spans = new Map<string, { readonly from: number; readonly until: number }>();
const mostSpans = 10_000;

function findChange(quiet: QuietHoursOf, key: string, time: number): number {
  const now = isAwake(quiet, key, time);
  // No zone differs from UTC by parts of a minute nowadays.
  let at = (Math.floor(time / minuteMs) + 1) * minuteMs;
  for (let minutes = 0; minutes <= 2 * dayMinutes; minutes += 1, at += minuteMs)
    if (isAwake(quiet, key, at) !== now) return at;
  return Infinity;
}

/** When a person may be written to: now, or later; Infinity: never, as some zone is always quiet. */
export const wakesAt = (quiet: QuietHoursOf | undefined, key: string, time: number): number =>
  isAwake(quiet, key, time) ? time : changesAt(quiet, key, time);

/** Until when a person who is awake may be written to; Infinity: always. */
export const sleepsAt = (quiet: QuietHoursOf | undefined, key: string, time: number): number =>
  isAwake(quiet, key, time) ? changesAt(quiet, key, time) : time;
