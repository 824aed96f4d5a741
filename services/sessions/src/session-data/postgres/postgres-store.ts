import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import { GroupCommit } from '../group-commit.ts';
import { PostgresSessionData } from './postgres-session-data.ts';
import { profilesStatement, readStatement, tableNumber, type Row, writeStatement } from './postgres-statements.ts';
import {
  type Erasing,
  type Table,
  tables,
  type SessionData,
  type SessionDataStore,
  SessionDataUnavailable,
  StaleEpoch,
} from '../session-data-store.ts';

export interface PostgresStoreOptions {
  readonly sql: Sql;
  readonly encryption: EncryptionKeys;
  /** Told of each commit: how long it took, milliseconds, and how many callers shared it. */
  readonly onCommit?: (milliseconds: number, writers: number) => void;
}

/** The changes that one caller commits. */
interface Work {
  readonly profileId: string;
  readonly epoch: number;
  readonly rows: readonly Row[];
}

/**
 * A commit without an answer for so long has failed, milliseconds. Should the database carry it out later, the epoch
 * with which the profile is opened again keeps it out.
 */
const patienceMs = 6_000;
const secretName = 'session-data key-secret';

/**
 * Session data of all replicas in the schema of sessions, encrypted. Every write is conditional on the lease in the
 * same statement, and the writes of all sockets of the process go in one statement.
 *
 * @see docs/decisions/0291-session-data-in-postgresql.md
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<SessionDataStore> {
  return new PostgresStore(options, await hidingSecret(options));
}

/** The secret that hides ids: made once, sealed, so that the encryption key can be rotated. */
async function hidingSecret({ sql, encryption }: PostgresStoreOptions): Promise<Buffer> {
  await sql.query('INSERT INTO session_secrets (name, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    secretName,
    encryption.seal(randomBytes(32), secretName),
  ]);
  const [row] = await sql.query<{ sealed: Buffer }>('SELECT sealed FROM session_secrets WHERE name = $1', [secretName]);
  if (row === undefined) throw new SessionDataUnavailable('The session data has no secret.');
  return encryption.open(row.sealed, secretName);
}

class PostgresStore implements SessionDataStore {
  readonly #options: PostgresStoreOptions;
  readonly #secret: Buffer;
  readonly #commits: GroupCommit<Work>;
  readonly #reads: GatheredReads<Omit<Row, 'value'>, Buffer>;
  /** The newest epoch of each profile opened here. */
  readonly #epochs = new Map<string, number>();
  #isClosed = false;

  constructor(options: PostgresStoreOptions, secret: Buffer) {
    this.#options = options;
    this.#secret = secret;
    this.#commits = new GroupCommit({
      atOnce: 256,
      write: (works) => this.#write(works),
      onCommit: options.onCommit ?? (() => undefined),
    });
    this.#reads = new GatheredReads((rows) => this.#read(rows));
  }

  async open(profileId: string, epoch: number): Promise<SessionData> {
    const rows = await this.#query('SELECT FROM leases WHERE key = $1 AND epoch = $2', [profileId, epoch]);
    if (rows.length === 0 || (this.#epochs.get(profileId) ?? 0) > epoch) throw new StaleEpoch(profileId);
    this.#epochs.set(profileId, epoch);
    return new PostgresSessionData({
      profileId,
      epoch,
      secret: this.#secret,
      encryption: this.#options.encryption,
      read: (asked) => this.#reads.of(asked),
      scan: (table, after, limit) =>
        this.#query(
          'SELECT id, value FROM session_data WHERE profile_id = $1 AND room = $2 AND id > $3 ORDER BY id LIMIT $4',
          [profileId, tableNumber(table), Buffer.from(after), limit],
        ),
      last: async (table) => {
        const [row] = await this.#query<{ id: Buffer }>(
          'SELECT id FROM session_data WHERE profile_id = $1 AND room = $2 ORDER BY id DESC LIMIT 1',
          [profileId, tableNumber(table)],
        );
        return row?.id;
      },
      write: (written, assertWhole, patience) =>
        this.#commits.add(
          { profileId, epoch, rows: written },
          () => {
            assertWhole();
            // Later ones of this process were opened with a newer epoch: one group names one epoch of a profile.
            if (this.#epochs.get(profileId) !== epoch) throw new StaleEpoch(profileId);
          },
          patience,
        ),
    });
  }

  async holding(profileIds: readonly string[], table: Table): Promise<string[]> {
    const rows = await this.#query<{ id: string }>(
      `SELECT p.id FROM unnest($1::uuid[]) AS p(id)
       WHERE EXISTS (SELECT FROM session_data d WHERE d.profile_id = p.id AND d.room = $2)`,
      [profileIds, tableNumber(table)],
    );
    return rows.map(({ id }) => id);
  }

  async profiles(): Promise<string[]> {
    const rows = await this.#query<{ id: string }>(profilesStatement, []);
    return rows.map(({ id }) => id);
  }

  async erase(profileId: string, { only = tables, epoch }: Erasing = {}): Promise<void> {
    const [standing] = await this.#query<{ stands: boolean }>(
      `WITH lease AS MATERIALIZED (SELECT FROM leases WHERE key = $1::text AND epoch = $2::bigint FOR SHARE),
       gone AS (DELETE FROM session_data WHERE profile_id = $1::text::uuid AND room = ANY($3::smallint[]) AND ($2::bigint IS NULL OR EXISTS (SELECT FROM lease)))
       SELECT EXISTS (SELECT FROM lease) AS stands`,
      [profileId, epoch, only.map(tableNumber)],
    );
    if (epoch !== undefined && standing?.stands !== true) throw new StaleEpoch(profileId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  async #write(works: readonly Work[]): Promise<(Error | undefined)[]> {
    const epochs = new Map(works.map(({ profileId, epoch }) => [profileId, epoch]));
    const { text, values } = writeStatement(
      epochs,
      works.flatMap(({ rows }) => rows),
    );
    const standing = new Set((await this.#query<{ key: string }>(text, values)).map(({ key }) => key));
    return works.map(({ profileId }) => (standing.has(profileId) ? undefined : new StaleEpoch(profileId)));
  }

  async #read(asked: readonly Omit<Row, 'value'>[]): Promise<(Buffer | undefined)[]> {
    const { text, values } = readStatement(asked);
    const found: (Buffer | undefined)[] = asked.map(() => undefined);
    for (const { n, value } of await this.#query<{ n: number; value: Buffer }>(text, values)) found[n - 1] = value;
    return found;
  }

  /** @throws SessionDataUnavailable also when nothing is answered in time */
  async #query<Found extends object>(text: string, values: readonly unknown[]): Promise<Found[]> {
    if (this.#isClosed) throw new SessionDataUnavailable('The session data is closed.');
    const answered = new AbortController();
    const late = sleep(patienceMs, undefined, { ref: false, signal: answered.signal }).then(() => {
      throw new Error('No answer in time.');
    });
    try {
      return await Promise.race([this.#options.sql.query<Found>(text, values), late]);
    } catch (error) {
      throw new SessionDataUnavailable('The session data cannot be read or written now.', { cause: error });
    } finally {
      answered.abort();
      late.catch(() => undefined);
    }
  }
}

interface Asked<Key, Value> {
  readonly keys: readonly Key[];
  readonly resolve: (values: (Value | undefined)[]) => void;
  readonly reject: (error: Error) => void;
}

/** Keys in one query, at most; one caller's stay together. */
const atOnce = 500;

/** Reads of all sockets that come in one turn of the event loop share one query. */
class GatheredReads<Key, Value> {
  readonly #read: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>;
  #asked: Asked<Key, Value>[] = [];
  #count = 0;

  /** @param read values in the order of the keys */
  constructor(read: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>) {
    this.#read = read;
  }

  /** Values in the order of the keys. */
  of(keys: readonly Key[]): Promise<(Value | undefined)[]> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ keys, resolve, reject });
      if (this.#asked.length === 1) setImmediate(() => void this.#run());
      this.#count += keys.length;
      if (this.#count >= atOnce) void this.#run();
    });
  }

  async #run(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    this.#count = 0;
    if (asked.length === 0) return;
    try {
      const values = await this.#read(asked.flatMap(({ keys }) => keys));
      let from = 0;
      for (const { keys, resolve } of asked) resolve(values.slice(from, (from += keys.length)));
    } catch (error) {
      for (const { reject } of asked) reject(error as Error);
    }
  }
}
