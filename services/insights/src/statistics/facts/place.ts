import { createHash } from 'node:crypto';

/** An id that was made as the message was asked for is at most so many milliseconds away from its acceptance, as in the inbox. */
const nearMs = 2000;

/** Where a fact stands among others, and its time, which the place holds. */
export interface Placed {
  readonly place: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * The place of a message: its own id where that tells the time, else a UUIDv7 of it. Derived, so that whoever tells of a message again
 * finds it there.
 *
 * @param time milliseconds since 1970
 */
export function placeOf(messageId: string, time: number): Placed {
  const own = timeOfId(messageId);
  if (own !== undefined && Math.abs(own - time) <= nearMs) return { place: messageId, at: own };
  const at = Math.max(0, Math.floor(time));
  const bytes = createHash('sha256').update(messageId).digest();
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return { place: uuidOf(bytes.toString('hex')), at };
}

/** Milliseconds since 1970; undefined for an id that is no UUIDv7. */
export const timeOfId = (id: string): number | undefined =>
  id.charAt(14) === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;

const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;

/** The smallest place of a moment: a bound of partitions and periods. */
export const firstPlaceAt = (time: number): string =>
  uuidOf(Math.max(0, Math.floor(time)).toString(16).padStart(12, '0').padEnd(32, '0'));
