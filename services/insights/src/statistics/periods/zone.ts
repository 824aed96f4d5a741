import { wallInstant } from '@messaging-gateway/runtime';

const dayMs = 86_400_000;
const quarterMs = 15 * 60_000;

/** A date as the midnight of UTC that bears its name, milliseconds since 1970. */
export type LocalDate = number;

/** The date in a zone. */
export const dateAt = (zone: string, time: number): LocalDate => Math.floor(wallInstant(zone, time) / dayMs) * dayMs;

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
  const near = date - (wallInstant(zone, date) - date);
  const guess = date - (wallInstant(zone, near) - near);
  if (wallInstant(zone, guess) === date && wallInstant(zone, guess - 1000) === date - 1000) return guess;
  // No clock is more than 14 hours ahead or 12 behind; changes lie at quarters of an hour.
  let [before, behind] = [(date - 15 * 3_600_000) / quarterMs, (date + 13 * 3_600_000) / quarterMs];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (wallInstant(zone, middle * quarterMs) >= date) behind = middle;
    else before = middle;
  }
  return behind * quarterMs;
}
