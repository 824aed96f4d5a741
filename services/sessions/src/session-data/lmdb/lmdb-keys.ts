import { createHmac, randomBytes } from 'node:crypto';
import { Recent } from '../recent.ts';
import { tables, type Table } from '../session-data-store.ts';

/** Bytes of a database key: profile (16), table (1), id. Ids of `signal` name contacts, so only their HMAC is kept. */
export interface KeyMaker {
  key(profileId: string, table: Table, id: string): Buffer;
  /** The bounds of a table: first included, second not. */
  range(profileId: string, table: Table, after: string): { start: Buffer; end: Buffer };
}

export const newKeySecret = (): Buffer => randomBytes(32);

const idBytes = 16;

export const profileBytes = (profileId: string): Buffer => Buffer.from(profileId.replaceAll('-', ''), 'hex');

/** Whose key it is. */
export function profileOf(key: Buffer): string {
  const hex = key.subarray(0, idBytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The bounds of all tables of a profile; its newest epoch, which is kept for good, is in none of them. */
export const tablesOf = (profileId: string): { start: Buffer; end: Buffer } => ({
  start: Buffer.concat([profileBytes(profileId), Buffer.of(1)]),
  end: Buffer.concat([profileBytes(profileId), Buffer.of(255)]),
});
const tableByte = (table: Table): number => tables.indexOf(table) + 1;

export function keyMaker(secret: Buffer): KeyMaker {
  const head = (profileId: string, table: Table): Buffer =>
    Buffer.concat([profileBytes(profileId), Buffer.of(tableByte(table))]);
  const known = new Recent<Buffer>(20_000);
  const hidden = (id: string): Buffer => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const hash = createHmac('sha256', secret).update(id).digest().subarray(0, 16);
    known.set(id, hash);
    return hash;
  };
  return {
    key: (profileId, table, id) =>
      Buffer.concat([head(profileId, table), table === 'signal' ? hidden(id) : Buffer.from(id)]),
    range: (profileId, table, after) => ({
      start: Buffer.concat([head(profileId, table), Buffer.from(after), ...(after === '' ? [] : [Buffer.of(0)])]),
      end: Buffer.concat([profileBytes(profileId), Buffer.of(tableByte(table) + 1)]),
    }),
  };
}
