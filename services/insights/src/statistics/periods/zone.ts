const dayMs = 86_400_000;
const quarterMs = 15 * 60_000;

/** A date as the midnight of UTC that bears its name, milliseconds since 1970. */
export type LocalDate = number;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  // There are some hundred zones.
  if (formats.size < 1000) formats.set(zone, made);
  return made;
}

/** What the clocks of a zone show at a time, as the time of UTC at which they would show that, to the second. */
export function wallTime(zone: string, time: number): number {
  const found: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(time)) found[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The date in a zone. */
export const dateAt = (zone: string, time: number): LocalDate => Math.floor(wallTime(zone, time) / dayMs) * dayMs;

const beginnings = new Map<string, number>();
const mostBeginnings = 20_000;

/** When a date begins in a zone: mostly at its midnight, which some days do not have, as clocks are put forward then. */
export function beginningOf(zone: string, date: LocalDate): number {
  const key = `${zone} ${date}`;
  const known = beginnings.get(key);
  if (known !== undefined) return known;
  const found = findBeginning(zone, date);
  if (beginnings.size >= mostBeginnings) beginnings.clear();
  beginnings.set(key, found);
  return found;
}

function findBeginning(zone: string, date: LocalDate): number {
  const near = date - (wallTime(zone, date) - date);
  const guess = date - (wallTime(zone, near) - near);
  if (wallTime(zone, guess) === date && wallTime(zone, guess - 1000) === date - 1000) return guess;
  // No clock is more than 14 hours ahead or 12 behind; changes lie at quarters of an hour.
  let [before, behind] = [(date - 15 * 3_600_000) / quarterMs, (date + 13 * 3_600_000) / quarterMs];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (wallTime(zone, middle * quarterMs) >= date) behind = middle;
    else before = middle;
  }
  return behind * quarterMs;
}
