import { createHmac, randomBytes } from 'node:crypto';
import { Recent } from '../recent.ts';
import { rooms, type Room } from '../session-data-store.ts';

/** Bytes of a database key: profile (16), room (1), id. Ids of `signal` name contacts, so only their HMAC is kept. */
export interface KeyMaker {
  key(profileId: string, room: Room, id: string): Buffer;
  /** The bounds of a room: first included, second not. */
  range(profileId: string, room: Room, after: string): { start: Buffer; end: Buffer };
}

export const newKeySecret = (): Buffer => randomBytes(32);

const idBytes = 16;

export const profileBytes = (profileId: string): Buffer => Buffer.from(profileId.replaceAll('-', ''), 'hex');

/** Whose key it is. */
export function profileOf(key: Buffer): string {
  const hex = key.subarray(0, idBytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The bounds of all rooms of a profile; its newest epoch, which is kept for good, is in none of them. */
export const roomsOf = (profileId: string): { start: Buffer; end: Buffer } => ({
  start: Buffer.concat([profileBytes(profileId), Buffer.of(1)]),
  end: Buffer.concat([profileBytes(profileId), Buffer.of(255)]),
});
const roomByte = (room: Room): number => rooms.indexOf(room) + 1;

export function keyMaker(secret: Buffer): KeyMaker {
  const head = (profileId: string, room: Room): Buffer =>
    Buffer.concat([profileBytes(profileId), Buffer.of(roomByte(room))]);
  const known = new Recent<Buffer>(20_000);
  const hidden = (id: string): Buffer => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const hash = createHmac('sha256', secret).update(id).digest().subarray(0, 16);
    known.set(id, hash);
    return hash;
  };
  return {
    key: (profileId, room, id) =>
      Buffer.concat([head(profileId, room), room === 'signal' ? hidden(id) : Buffer.from(id)]),
    range: (profileId, room, after) => ({
      start: Buffer.concat([head(profileId, room), Buffer.from(after), ...(after === '' ? [] : [Buffer.of(0)])]),
      end: Buffer.concat([profileBytes(profileId), Buffer.of(roomByte(room) + 1)]),
    }),
  };
}
