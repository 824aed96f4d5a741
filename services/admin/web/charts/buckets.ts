import type { Language } from '../language/catalogue.ts';

export type Granularity = 'hour' | 'day' | 'week';

/** Names of buckets by their beginning, in the zone by which they were counted: in full, and short. */
export function bucketNames(language: Language, timeZone: string, granularity: Granularity) {
  const tag = `${language}-u-nu-latn`;
  const full = new Intl.DateTimeFormat(tag, {
    dateStyle: 'medium',
    ...(granularity === 'hour' && { timeStyle: 'short' as const }),
    timeZone,
  });
  const short = new Intl.DateTimeFormat(tag, {
    day: 'numeric',
    month: 'short',
    ...(granularity === 'hour' && { hour: '2-digit' as const, minute: '2-digit' as const, hourCycle: 'h23' as const }),
    timeZone,
  });
  return (period: string) => ({ label: full.format(new Date(period)), short: short.format(new Date(period)) });
}

/** Where a browser has it, it knows zones at once; the first format of `Intl` takes some 30 ms. */
const hasTemporal = typeof Temporal !== 'undefined';

/** The zone of this browser; UTC where it says none that others know. */
export function ownZone(): string {
  const zone = hasTemporal ? Temporal.Now.timeZoneId() : new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^[A-Z][A-Za-z_]+\/(?!Unknown)|^UTC$/.test(zone) ? zone : 'UTC';
}

/** A day as `2026-11-24`, in a zone. @param at milliseconds since 1970 */
export const dayIn = (timeZone: string, at: number): string =>
  hasTemporal
    ? Temporal.Instant.fromEpochMilliseconds(Math.trunc(at)).toZonedDateTimeISO(timeZone).toPlainDate().toString()
    : new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone }).format(at);

/** A day some days later. @param day `2026-11-24`; anything else is left as it is */
export function daysAfter(day: string, days: number): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? day : new Date(at + days * 86_400_000).toISOString().slice(0, 10);
}
