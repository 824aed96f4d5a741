import type { QuietHoursOf } from '@messaging-gateway/contracts';
import { quietSpans, type Span } from './quiet-spans.ts';

/** Recipients of a broadcast who are left, by their time zones. */
export interface ZoneCount {
  /** Of `zoneKeyOf`. */
  readonly zone: string;
  readonly count: number;
  /** Places of the first and of the last of them: they are taken as evenly spread between. */
  readonly first: number;
  readonly last: number;
}

interface Group {
  readonly quiet: readonly Span[];
  /** Of the next one, and from one to the next. */
  place: number;
  readonly step: number;
  left: number;
  /** The quiet span that is now or comes next. */
  index: number;
}

/** Recipients who are left, taken in the order of their places, those who are awake first. Time only goes on. */
export class Crowd {
  readonly #groups: Group[];

  constructor(zones: readonly ZoneCount[], quiet: QuietHoursOf | undefined, within: Span) {
    this.#groups = sleepingAlike(zones, quiet, within).map(({ spans, count, first, last }) => ({
      quiet: spans,
      place: first,
      step: Math.max(last - first + 1, 1) / count,
      left: count,
      index: 0,
    }));
  }

  get left(): number {
    return this.#groups.reduce((sum, { left }) => sum + left, 0);
  }

  /** How many may be written to. */
  awakeAt(time: number): number {
    return this.#awake(time).reduce((sum, { left }) => sum + left, 0);
  }

  /** When next somebody falls asleep or wakes; Infinity: nobody does. */
  changesAt(time: number): number {
    let next = Infinity;
    for (const group of this.#groups) {
      if (group.left === 0) continue;
      const span = spanAt(group, time);
      if (span !== undefined) next = Math.min(next, time < span.from ? span.from : span.until);
    }
    return next;
  }

  /** Whether somebody may be written to before a time. */
  wakesBefore(from: number, until: number): boolean {
    return this.#groups.some((group) => {
      const span = spanAt(group, from);
      return group.left > 0 && (span === undefined || from < span.from || span.until < until);
    });
  }

  /** @param count of those who are awake, no more than there are */
  take(count: number, time: number): void {
    const awake = this.#awake(time);
    const [only] = awake;
    if (only === undefined) return;
    const upTo = (group: Group, place: number): number =>
      Math.min(group.left, Math.max(0, Math.ceil((place - group.place) / group.step)));
    const place = awake.length === 1 ? Infinity : this.#placeOf(awake, count, upTo);
    let missing = count;
    for (const group of awake) {
      const taken = Math.min(missing, upTo(group, place));
      group.left -= taken;
      group.place += taken * group.step;
      missing -= taken;
    }
  }

  /** Before which there are so many. */
  #placeOf(awake: readonly Group[], count: number, upTo: (group: Group, place: number) => number): number {
    let low = Math.min(...awake.map((group) => group.place));
    let high = Math.max(...awake.map((group) => group.place + group.left * group.step));
    while (high - low > 0.5) {
      const middle = (low + high) / 2;
      if (awake.reduce((sum, group) => sum + upTo(group, middle), 0) >= count) high = middle;
      else low = middle;
    }
    return high;
  }

  #awake(time: number): Group[] {
    return this.#groups.filter((group) => {
      const span = spanAt(group, time);
      return group.left > 0 && (span === undefined || time < span.from);
    });
  }
}

/** Zones whose people may be written to at the same times are as one. */
function sleepingAlike(zones: readonly ZoneCount[], quiet: QuietHoursOf | undefined, within: Span) {
  const alike = new Map<string, Omit<ZoneCount, 'zone'> & { readonly spans: readonly Span[] }>();
  for (const { zone, count, first, last } of zones) {
    if (count === 0) continue;
    const spans = quietSpans(quiet, zone, within);
    const key = spans.map(({ from, until }) => `${from}-${until}`).join();
    const one = alike.get(key) ?? { spans, count: 0, first, last };
    alike.set(key, {
      spans,
      count: one.count + count,
      first: Math.min(one.first, first),
      last: Math.max(one.last, last),
    });
  }
  return [...alike.values()];
}

function spanAt(group: Group, time: number): Span | undefined {
  let span = group.quiet[group.index];
  while (span !== undefined && span.until <= time) {
    group.index += 1;
    span = group.quiet[group.index];
  }
  return span;
}
