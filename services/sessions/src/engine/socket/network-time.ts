/** The first second of the year 10000, which timestamps cannot name. */
const end = 253_402_300_800;

/** A time that the network names, in seconds since 1970, as a timestamp; now where it names none. */
export function timestampOf(seconds: unknown): string {
  const known = typeof seconds === 'string' && seconds.trim() === '' ? NaN : Number(seconds ?? NaN);
  return (known >= 0 && known < end ? new Date(known * 1000) : new Date()).toISOString();
}
