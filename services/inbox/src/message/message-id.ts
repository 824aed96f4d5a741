import { createHash } from 'node:crypto';

/** What makes a message of the network the same message. */
export interface NetworkIdentity {
  readonly conversationId: string;
  /** Who wrote it: the conversation that the profile has, or would have, with that person; `self` for the owner. */
  readonly author: string;
  readonly networkMessageId: string;
}

/** Under which key a message of the network is taken in only once. Holds no phone number. */
export const onceKeyOf = ({ conversationId, author, networkMessageId }: NetworkIdentity): string =>
  `network ${conversationId} ${author} ${networkMessageId}`;

/**
 * Id of a message of the network: UUIDv7, so that ids sort by time, but derived, so that the same message gets the
 * same id at each delivery.
 *
 * @param time milliseconds since 1970: its place among other messages
 * @param arrival milliseconds since 1970: keeps messages of the same second in the order in which they came
 */
export function messageIdOf(identity: NetworkIdentity, time: number, arrival: number): string {
  const bytes = createHash('sha256').update(onceKeyOf(identity)).digest().subarray(0, 16);
  bytes.writeUIntBE(Math.max(0, Math.floor(time)), 0, 6);
  bytes.writeUInt16BE(0x7000 | (Math.floor(arrival / 4) & 0xfff), 6);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The smallest UUIDv7 of a moment: bound of a partition. */
export function firstIdAt(time: number): string {
  const hex = Math.floor(time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
