/** Text that a message can be sent with, UTF-16 units (api-decisions §4). */
const mostText = 65_536;

/**
 * What somebody has written, each of its texts cut where no client lets anybody write on: the index of words refuses a
 * message of more than a mebibyte of them.
 */
export function bounded<T>(written: T): T {
  if (typeof written === 'string') return written.slice(0, mostText) as T & string;
  if (Array.isArray(written)) return written.map((one: unknown) => bounded(one)) as T;
  if (typeof written !== 'object' || written === null) return written;
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, bounded(value as unknown)])) as T;
}
