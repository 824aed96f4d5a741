import { createHmac, randomBytes } from 'node:crypto';
import { Recent, type EncryptionKeys } from '@messaging-gateway/runtime';
import type { Database } from 'lmdb';
import { PendingWrites, type NamedValue } from '../group-commit.ts';
import {
  plainTables,
  tables,
  SessionDataUnavailable,
  type Change,
  type Table,
  type SessionData,
  type Stored,
} from '../session-data-store.ts';

/** A value to be written under a key, or removed. */
export interface Write {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

interface Parts {
  readonly profileId: string;
  readonly epoch: number;
  readonly database: Database<Buffer, Buffer>;
  readonly keys: KeyMaker;
  readonly encryption: EncryptionKeys;
  /** @throws SessionDataUnavailable */
  readonly assertOpen: () => void;
  readonly write: (writes: readonly Write[], check: () => void, patienceMs: number) => Promise<void>;
}

/** One profile's part of the environment. */
export class LmdbSessionData implements SessionData {
  readonly isLocal = true;
  readonly #parts: Parts;
  readonly #pending = new PendingWrites();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get profileId(): string {
    return this.#parts.profileId;
  }

  get epoch(): number {
    return this.#parts.epoch;
  }

  async read(table: Table, ids: readonly string[]): Promise<(Buffer | undefined)[]> {
    this.#parts.assertOpen();
    return ids.map((id) => {
      const key = this.#parts.keys.key(this.profileId, table, id);
      const pending = this.#pending.of(key.toString('latin1'));
      return pending === undefined ? this.#open(table, key, this.#parts.database.get(key)) : pending.value;
    });
  }

  async scan(table: Exclude<Table, 'signal'>, after: string, limit: number): Promise<Stored[]> {
    this.#parts.assertOpen();
    const range = this.#parts.keys.range(this.profileId, table, after);
    return [...this.#parts.database.getRange({ ...range, limit })].map(({ key, value }) => ({
      id: key.subarray(17).toString(),
      value: this.#open(table, key, value) as Buffer,
    }));
  }

  async last(table: Exclude<Table, 'signal'>): Promise<string | undefined> {
    this.#parts.assertOpen();
    const { start, end } = this.#parts.keys.range(this.profileId, table, '');
    const [key] = [...this.#parts.database.getKeys({ start: end, end: start, reverse: true, limit: 1 })];
    return key?.subarray(17).toString();
  }

  async commit(changes: readonly Change[], patienceMs = 0): Promise<void> {
    this.#pending.assertWhole();
    if (changes.length === 0) return;
    const noted = changes.map(({ table, id, value }) =>
      this.#note(table, this.#parts.keys.key(this.profileId, table, id), value),
    );
    await this.#pending.during(
      noted.map(({ named }) => named),
      () =>
        this.#parts.write(
          noted.map(({ write }) => write),
          () => this.#pending.assertWhole(),
          patienceMs,
        ),
    );
  }

  settled(): Promise<void> {
    return this.#pending.settled();
  }

  #note(table: Table, key: Buffer, bytes: Uint8Array | undefined): { named: NamedValue; write: Write } {
    const named = { name: key.toString('latin1'), value: bytes === undefined ? undefined : Buffer.from(bytes) };
    const { name, value } = named;
    const sealed = value === undefined || plainTables.has(table) ? value : this.#parts.encryption.seal(value, name);
    return { named, write: { key, value: sealed } };
  }

  #open(table: Table, key: Buffer, sealed: Buffer | undefined): Buffer | undefined {
    if (sealed === undefined || plainTables.has(table)) return sealed;
    try {
      return this.#parts.encryption.open(sealed, key.toString('latin1'));
    } catch (error) {
      throw new SessionDataUnavailable('The session data cannot be read.', { cause: error });
    }
  }
}

/** Bytes of a database key: profile (16), table (1), id. Ids of `signal` name contacts, so only their HMAC is kept. */
export interface KeyMaker {
  key(profileId: string, table: Table, id: string): Buffer;
  /** The bounds of a table: first included, second not. */
  range(profileId: string, table: Table, after: string): { start: Buffer; end: Buffer };
}

export const newKeySecret = (): Buffer => randomBytes(32);

const idBytes = 16;

export const profileBytes = (profileId: string): Buffer => Buffer.from(profileId.replaceAll('-', ''), 'hex');

/** The profile that a key belongs to. */
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
