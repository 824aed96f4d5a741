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

/**
 * Time on the clocks of a zone at an instant, as the instant at which those of UTC show it. Milliseconds since 1970.
 *
 * @param zone an IANA name: `isTimeZone` of the contracts
 * @throws RangeError for a name that is none
 */
export function wallInstant(zone: string, time: number): number {
  // `12/31/2026, 23:59:59`
  const [month = 1, day = 1, year = 0, hour = 0, minute = 0, second = 0] = clockOf(zone)
    .format(time)
    .split(/\D+/)
    .map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((time % 1000) + 1000) % 1000);
}
