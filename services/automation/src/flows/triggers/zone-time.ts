const dayMs = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();
/** Names of zones come in any case, so that there are more of them than zones. */
const mostClocks = 1000;

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  });
  if (clocks.size >= mostClocks) clocks.clear();
  clocks.set(zone, made);
  return made;
}

/** What the clocks of a zone show at an instant, as the instant at which those of UTC show it. Milliseconds since 1970. */
export function wallInstant(zone: string, time: number): number {
  const shown: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(time)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((time % 1000) + 1000) % 1000);
}

const offset = (zone: string, time: number): number => wallInstant(zone, time) - time;

/**
 * The first instant at which the clocks of a zone show something; where they are put forward over it, the instant at which that is
 * done.
 *
 * @param wall as `wallInstant` answers it
 */
export function instantAt(zone: string, wall: number): number {
  const [before, after] = [offset(zone, wall - dayMs), offset(zone, wall + dayMs)];
  const found = [wall - before, wall - after].filter((time) => wallInstant(zone, time) === wall);
  if (found.length > 0) return Math.min(...found);
  let [low, high] = [wall - after, wall - before];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
