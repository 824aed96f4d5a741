import { wallInstant } from '@messaging-gateway/runtime';
import { beginningOf, dateAt, type LocalDate } from './zone.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const quarterMs = 15 * 60_000;

export type Granularity = 'hour' | 'day' | 'week';

/**
 * When the buckets begin that a period lies in, milliseconds since 1970, in their order: the first is the one in which it begins. Days and weeks are
 * those of the zone, with 23 or 25 hours too; an hour that comes twice is two, and one of half an hour is one.
 *
 * @param to not included; nothing lies in an empty period
 */
export function bucketsOf(zone: string, granularity: Granularity, from: number, to: number): number[] {
  if (to <= from) return [];
  const first = granularity === 'week' ? mondayOf(dateAt(zone, from)) : dateAt(zone, from);
  const step = (granularity === 'week' ? 7 : 1) * dayMs;
  const found: number[] = [];
  for (let date = first, begin = beginningOf(zone, date); begin < to;) {
    const next = beginningOf(zone, date + step);
    if (next > from && next > begin) {
      if (granularity === 'hour') found.push(...hoursOf(zone, begin, next).filter((hour) => hour < to));
      else found.push(begin);
    }
    [date, begin] = [date + step, next];
  }
  // Hours of the first day that end before the period begins.
  return granularity === 'hour'
    ? found.slice(
        Math.max(
          0,
          found.findLastIndex((hour) => hour <= from),
        ),
      )
    : found;
}

/** 1970 began on a Thursday. */
const mondayOf = (date: LocalDate): LocalDate => date - ((((date / dayMs + 3) % 7) + 7) % 7) * dayMs;

/** The hours of a day. */
function hoursOf(zone: string, begin: number, end: number): number[] {
  const isEven =
    wallInstant(zone, end - 1000) - wallInstant(zone, begin) === end - 1000 - begin && (end - begin) % hourMs === 0;
  if (isEven) return Array.from({ length: (end - begin) / hourMs }, (_, hour) => begin + hour * hourMs);
  const hours: number[] = [];
  let before = '';
  for (let time = begin; time < end; time += quarterMs) {
    const shown = wallInstant(zone, time);
    const hour = `${Math.floor(shown / hourMs)} ${shown - time}`;
    if (hour !== before) hours.push(time);
    before = hour;
  }
  return hours;
}
