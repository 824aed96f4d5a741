const hour = 3_600_000;
const dayLength = 24 * hour;
/** Asia/Jakarta has no summer time. */
const offset = 7 * hour;

/** The day of the daily limit, `YYYY-MM-DD` in Asia/Jakarta. Days compare as texts. */
export function dayOf(time: number): string {
  return new Date(time + offset).toISOString().slice(0, 10);
}

/** When the counter next resets: the first 00:00 in Asia/Jakarta after a time, milliseconds since 1970. */
export function nextReset(time: number): number {
  return (Math.floor((time + offset) / dayLength) + 1) * dayLength - offset;
}

/** `2026-01-02T00:00:00+07:00`, the form of `resetAt` in the 429. */
export function jakartaTimestamp(time: number): string {
  return `${new Date(time + offset).toISOString().slice(0, 19)}+07:00`;
}
