import { createHmac } from 'node:crypto';
import { Recent, type EncryptionKeys } from '@messaging-gateway/runtime';
import { PendingWrites, type NamedValue } from '../group-commit.ts';
import type { Row } from './postgres-statements.ts';
import {
  plainTables,
  SessionDataUnavailable,
  type Change,
  type Table,
  type SessionData,
  type Stored,
} from '../session-data-store.ts';

export interface PostgresSessionDataParts {
  readonly profileId: string;
  readonly epoch: number;
  /** Hides ids of `signal`, which name contacts. */
  readonly secret: Buffer;
  readonly encryption: EncryptionKeys;
  readonly read: (rows: readonly Omit<Row, 'value'>[]) => Promise<(Buffer | undefined)[]>;
  readonly scan: (table: Table, after: string, limit: number) => Promise<{ id: Buffer; value: Buffer }[]>;
  readonly last: (table: Table) => Promise<Buffer | undefined>;
  readonly write: (rows: readonly Row[], check: () => void, patienceMs: number) => Promise<void>;
}

const hiddenIds = 4_000;

/** One profile's rows. */
export class PostgresSessionData implements SessionData {
  readonly isLocal = false;
  readonly #parts: PostgresSessionDataParts;
  readonly #pending = new PendingWrites();
  readonly #hidden = new Recent<string>(hiddenIds);

  constructor(parts: PostgresSessionDataParts) {
    this.#parts = parts;
  }

  get profileId(): string {
    return this.#parts.profileId;
  }

  get epoch(): number {
    return this.#parts.epoch;
  }

  async read(table: Table, ids: readonly string[]): Promise<(Buffer | undefined)[]> {
    const rows = ids.map((id) => ({ profileId: this.profileId, table, id: this.#idOf(table, id) }));
    const missing = rows.filter((row) => this.#pending.of(nameOf(row)) === undefined);
    const found = new Map<string, Buffer | undefined>();
    const values = missing.length === 0 ? [] : await this.#parts.read(missing);
    for (const [index, row] of missing.entries()) found.set(row.id, this.#open(row, values[index]));
    return rows.map((row) => {
      const pending = this.#pending.of(nameOf(row));
      return pending === undefined ? found.get(row.id) : pending.value;
    });
  }

  async scan(table: Exclude<Table, 'signal'>, after: string, limit: number): Promise<Stored[]> {
    const rows = await this.#parts.scan(table, after, limit);
    return rows.map(({ id, value }) => ({
      id: id.toString(),
      value: this.#open({ profileId: this.profileId, table, id: id.toString('hex') }, value) as Buffer,
    }));
  }

  async last(table: Exclude<Table, 'signal'>): Promise<string | undefined> {
    return (await this.#parts.last(table))?.toString();
  }

  async commit(changes: readonly Change[], patienceMs = 0): Promise<void> {
    this.#pending.assertWhole();
    if (changes.length === 0) return;
    const noted = changes.map((change) => this.#note(change));
    await this.#pending.during(
      noted.map(({ named }) => named),
      () =>
        this.#parts.write(
          noted.map(({ row }) => row),
          () => this.#pending.assertWhole(),
          patienceMs,
        ),
    );
  }

  settled(): Promise<void> {
    return this.#pending.settled();
  }

  #note({ table, id, value }: Change): { named: NamedValue; row: Row } {
    const row = { profileId: this.profileId, table, id: this.#idOf(table, id) };
    const name = nameOf(row);
    const plain = value === undefined ? undefined : Buffer.from(value);
    const sealed = plain === undefined || plainTables.has(table) ? plain : this.#parts.encryption.seal(plain, name);
    return { named: { name, value: plain }, row: { ...row, value: sealed } };
  }

  #open(row: Omit<Row, 'value'>, sealed: Buffer | undefined): Buffer | undefined {
    if (sealed === undefined || plainTables.has(row.table)) return sealed;
    try {
      return this.#parts.encryption.open(sealed, nameOf(row));
    } catch (error) {
      throw new SessionDataUnavailable('The session data cannot be read.', { cause: error });
    }
  }

  #idOf(table: Table, id: string): string {
    if (table !== 'signal') return Buffer.from(id).toString('hex');
    const known = this.#hidden.get(id);
    if (known !== undefined) return known;
    const hidden = createHmac('sha256', this.#parts.secret).update(id).digest().subarray(0, 16).toString('hex');
    this.#hidden.set(id, hidden);
    return hidden;
  }
}

const nameOf = ({ profileId, table, id }: Omit<Row, 'value'>): string => `${profileId} ${table} ${id}`;
