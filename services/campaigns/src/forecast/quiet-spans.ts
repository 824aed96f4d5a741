import type { QuietHoursOf } from '@messaging-gateway/contracts';
import { wallInstant } from '@messaging-gateway/runtime';
import { zonesOf } from '../quiet-hours/zones.ts';

/** From when until before when, milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const weekMs = 7 * dayMs;

/** How far the clock on the wall is ahead of UTC, milliseconds: whole minutes. */
const offsetAt = (zone: string, time: number): number =>
  Math.floor((wallInstant(zone, time) - time) / minuteMs) * minuteMs;

interface Offset extends Span {
  readonly ms: number;
}

/** The offsets of a zone one after the other. Looked at once a week: no clock is changed twice in one. */
function offsetsOf(zone: string, { from, until }: Span): Offset[] {
  const found: Offset[] = [];
  let [begin, ms] = [from, offsetAt(zone, from)];
  for (let time = from; time < until; time += weekMs) {
    const next = offsetAt(zone, time + weekMs);
    if (next === ms) continue;
    const changed = changeBetween(zone, time, time + weekMs);
    found.push({ from: begin, until: changed, ms });
    [begin, ms] = [changed, next];
  }
  return [...found, { from: begin, until, ms }].filter((one) => one.from < Math.min(one.until, until));
}

/** The minute from which another offset holds. */
function changeBetween(zone: string, from: number, until: number): number {
  const before = offsetAt(zone, from);
  let [low, high] = [Math.floor(from / minuteMs), Math.ceil(until / minuteMs)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * minuteMs) === before) low = middle;
    else high = middle;
  }
  return high * minuteMs;
}

const timeOf = (text: string): number => (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * minuteMs;

function quietIn(quiet: QuietHoursOf, zone: string, within: Span): Span[] {
  const [begin, to] = [timeOf(quiet.from), timeOf(quiet.to)];
  const end = begin <= to ? to : to + dayMs;
  return offsetsOf(zone, within).flatMap(({ from, until, ms }) => {
    const spans: Span[] = [];
    for (let day = Math.floor((from + ms) / dayMs) * dayMs - dayMs; day - ms < until; day += dayMs)
      spans.push({ from: Math.max(day + begin - ms, from), until: Math.min(day + end - ms, until) });
    return spans.filter((span) => span.from < span.until);
  });
}

/**
 * When a person may not be written to, in order, with time between one and the next: what `isAwake` says of each moment, found
 * by reckoning, for many days at once.
 *
 * @param key of `zoneKeyOf`
 */
export function quietSpans(quiet: QuietHoursOf | undefined, key: string, within: Span): readonly Span[] {
  if (quiet === undefined) return [];
  const zones = quiet.timezone === 'recipient' ? zonesOf(key) : [quiet.timezone];
  const spans = zones.flatMap((zone) => quietIn(quiet, zone, within)).toSorted((one, other) => one.from - other.from);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last === undefined || span.from > last.until) merged.push(span);
    else if (span.until > last.until) merged[merged.length - 1] = { from: last.from, until: span.until };
  }
  return merged;
}
