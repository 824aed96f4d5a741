import { createHash } from 'node:crypto';
import { uuidOfTime } from './message-id.ts';

/**
 * An id made as the message was asked for is at most so many milliseconds away from its acceptance; else it tells
 * another time.
 */
const nearMs = 2000;

/** Columns that tell where a stored message stands among others. */
interface Placed {
  readonly messageId: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** Of what goes out: who asked for it. Absent: a message of the network. */
  readonly origin?: string;
}

/**
 * The id by which a message is sorted, paged and put into a partition: a UUIDv7 of its time. Mostly that is its own id.
 * Ids that come from elsewhere tell their time only if they say so: a scheduled message has the id of its schedule,
 * made days before, and the ids of bulk messages once told no time at all.
 */
export function placeOf({ messageId, timestamp, origin }: Placed): string {
  // The inbox has made these ids itself, of the time at which the message belongs.
  if (origin === undefined || origin === 'phone') return messageId;
  const time = Date.parse(timestamp);
  const own = timeOfId(messageId);
  return own !== undefined && Math.abs(own - time) <= nearMs ? messageId : placeAt(messageId, time);
}

/** @param time milliseconds since 1970 */
export const placeAt = (messageId: string, time: number): string =>
  uuidOfTime(time, createHash('sha256').update(messageId).digest());

/** Milliseconds since 1970; undefined for an id that is no UUIDv7. */
const timeOfId = (id: string): number | undefined =>
  id.charAt(14) === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
