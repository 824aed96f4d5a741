import { createHash } from 'node:crypto';

/** The identity of a message on the network. */
export interface NetworkIdentity {
  readonly conversationId: string;
  /** The author: the conversation that the profile has, or would have, with that person; `self` for the owner. */
  readonly author: string;
  readonly networkMessageId: string;
}

/** Under which key a message of the network is taken in only once. Holds no phone number. */
export const onceKeyOf = ({ conversationId, author, networkMessageId }: NetworkIdentity): string =>
  `network ${conversationId} ${author} ${networkMessageId}`;

/**
 * Id of a message of the network: UUIDv7, so that ids sort by time, but derived, so that a fact that is delivered
 * again yields the same id. The bits after the time hold the place of the fact in its journal: messages of the same
 * moment stay in the order in which they came.
 *
 * @param time milliseconds since 1970: its place among other messages
 * @param sequence of the fact that brought it, for example `0001-0000000000000abc-0000000000000123-00`
 */
export function messageIdOf(identity: NetworkIdentity, time: number, sequence: string): string {
  const bytes = createHash('sha256').update(onceKeyOf(identity)).digest();
  const position = positionOf(sequence);
  bytes.writeUInt16BE(position >> 14, 6);
  bytes.writeUInt16BE(position & 0x3fff, 8);
  return uuidOfTime(time, bytes);
}

/**
 * A UUIDv7.
 *
 * @param time milliseconds since 1970
 * @param bytes at least 16: those from the seventh on are kept, but for the six bits of version and variant
 */
export function uuidOfTime(time: number, bytes: Buffer): string {
  const uuid = Buffer.from(bytes.subarray(0, 16));
  uuid.writeUIntBE(Math.max(0, Math.floor(time)), 0, 6);
  uuid.writeUInt8(0x70 | (uuid.readUInt8(6) & 0x0f), 6);
  uuid.writeUInt8(0x80 | (uuid.readUInt8(8) & 0x3f), 8);
  const hex = uuid.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The last 26 bits of the position in the journal. */
function positionOf(sequence: string): number {
  const position = Number.parseInt(sequence.split('-')[2]?.slice(-7) ?? '', 16);
  return Number.isNaN(position) ? 0 : position & 0x3ffffff;
}

/** The smallest UUIDv7 of a moment: bound of a partition. */
export function firstIdAt(time: number): string {
  const hex = Math.floor(time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
