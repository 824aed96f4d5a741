/** What clocks in a zone show. */
export interface WallTime {
  /** 1 Monday to 7 Sunday. */
  readonly day: number;
  /** Since midnight, by the clock. */
  readonly minutes: number;
}

/** An IANA name that this runtime knows. */
export function isZone(name: string): boolean {
  try {
    return clockOf(name) !== undefined;
  } catch {
    return false;
  }
}

const days: Readonly<Record<string, number>> = { Mon: 1, Tue: 2, Wed: 3, Thu: 4, Fri: 5, Sat: 6, Sun: 7 };
const clocks = new Map<string, Intl.DateTimeFormat>();
/** Names of zones come in any case, so that there are more of them than zones. */
const mostClocks = 1000;

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  if (clocks.size >= mostClocks) clocks.clear();
  clocks.set(zone, made);
  return made;
}

/** @param time milliseconds since 1970 */
export function wallTime(zone: string, time: number): WallTime {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const minutes = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  return { day: days[parts.get('weekday') ?? ''] ?? 0, minutes };
}

/** `HH:MM` as minutes since midnight. */
export const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
