import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, EncryptionKeys } from '@messaging-gateway/runtime';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from './in-transaction.ts';
import type { InlineView } from './view.ts';
import type { JournalPlace, UnreadableEntry } from './journal-entry.ts';
import { inSchema } from './journal-migration.ts';
import { readPortion, replayInline } from './replay.ts';
import type { Portion, ReplaySource } from './replay.ts';
import { streamCatalogue } from './event-codec.ts';
import type { AnyStreamType } from './stream-type.ts';
import { subjectKeys } from './subject-keys.ts';
import { quoted, tableDefinition } from './table-definition.ts';
import { writerPool } from './writer-pool.ts';

export interface RebuildOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly streams: readonly AnyStreamType[];
  readonly encryption: EncryptionKeys;
  readonly clock: Clock;
  readonly inlineViews: readonly InlineView[];
  /** Only this view, and those that share its tables. Absent: all that name their tables. */
  readonly view?: string;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Told of each damaged entry, which the views are made without. */
  readonly onDamaged?: (entry: UnreadableEntry) => void;
}

interface RebuildProgress {
  readonly views: readonly string[];
  readonly entries: number;
  readonly switched: boolean;
}

/** Views that are made anew together, since they share tables. */
interface Room {
  readonly tables: readonly string[];
  readonly views: readonly InlineView[];
}

interface Rebuilding extends ReplaySource {
  readonly pool: Pool;
  readonly room: Room;
  /** Where the new tables stand until the switch. */
  readonly beside: string;
  readonly place: (sql: string) => string;
  readonly onDamaged: RebuildOptions['onDamaged'];
}

/** Entries in one transaction, at most. */
const portionSize = 500;
/** How long writers are held up by one attempt to switch, milliseconds. */
const switchMs = 2000;
const switchAttempts = 30;

/**
 * Makes views anew from the journal, beside the live ones, in small transactions, while writers go on; reactions are
 * not repeated. Appends meanwhile write the live tables only. At the end the journal is locked against appends for a
 * moment, the rest is taken over, and the new tables take the place of the old ones, in one transaction: an append
 * that waited writes the new tables. A rebuild that fails or is killed leaves the live view as it was.
 *
 * @returns the names of the views that were rebuilt
 * @throws Error when there is no such view, or another rebuild of the schema runs
 * @throws Unavailable when an entry needs a newer version of the program
 */
export async function rebuildViews(options: RebuildOptions): Promise<readonly string[]> {
  const { schema, view } = options;
  const rooms = roomsOf(options.inlineViews).filter((room) => view === undefined || namesOf(room).includes(view));
  if (rooms.length === 0)
    throw new Error(
      view === undefined ? `${schema} has no view to rebuild.` : `${schema} has no view "${view}" that can be rebuilt.`,
    );
  const pool = writerPool(options.pool, 3);
  const holder = await pool.connect();
  try {
    const { rows } = await holder.query<{ free: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS free', [
      `rebuild ${schema}`,
    ]);
    if (rows[0]?.free !== true) throw new Error(`Another rebuild of ${schema} is running.`);
    const source = {
      pool,
      schema,
      catalogue: streamCatalogue(options.streams),
      keys: subjectKeys(options.pool, schema, options.encryption),
    };
    for (const room of rooms) {
      const beside = `${schema}_rebuild`;
      await rebuildRoom(
        { ...source, room, beside, place: placeIn(schema, beside, room.tables), onDamaged: options.onDamaged },
        options,
      );
    }
    return rooms.flatMap(namesOf);
  } finally {
    holder.release(true);
    await pool.end();
  }
}

async function rebuildRoom(rebuilding: Rebuilding, { onProgress }: RebuildOptions): Promise<void> {
  const { pool, schema, room, beside } = rebuilding;
  await pool.query(`DROP SCHEMA IF EXISTS ${beside} CASCADE`);
  await pool.query(`CREATE SCHEMA ${beside}`);
  for (const table of room.tables) {
    const { statements } = await tableDefinition(pool, { from: schema, to: beside }, table);
    for (const statement of statements) await pool.query(statement);
  }
  let place: JournalPlace | undefined;
  let entries = 0;
  const catchUp = async (): Promise<void> => {
    for (let portion: Portion | undefined; portion?.last !== true;) {
      portion = await readPortion(pool, rebuilding, place, portionSize);
      const { entries: some, end } = portion;
      if (end !== place) await inTransaction(pool, (client) => write(client, rebuilding, portion));
      place = end;
      entries += some.length;
      onProgress?.({ views: namesOf(room), entries, switched: false });
    }
  };
  for (let attempt = 1; ; attempt += 1) {
    await catchUp();
    try {
      await inTransaction(pool, (client) => switchOver(client, rebuilding, place));
      break;
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if ((code !== '55P03' && code !== '40P01') || attempt >= switchAttempts) throw error;
      await sleep(100 * attempt);
    }
  }
  await pool.query(`DROP SCHEMA IF EXISTS ${beside} CASCADE`);
  onProgress?.({ views: namesOf(room), entries, switched: true });
}

async function write(client: PoolClient, { room, place, onDamaged }: Rebuilding, portion: Portion): Promise<void> {
  for (const entry of portion.damaged) onDamaged?.(entry);
  if (portion.entries.length > 0) await replayInline(client, room.views, place, portion);
}

/** The journal is locked before the views' tables, in the order in which appends lock them. */
async function switchOver(client: PoolClient, rebuilding: Rebuilding, from: JournalPlace | undefined): Promise<void> {
  const { room, schema, beside } = rebuilding;
  await client.query(`SET LOCAL lock_timeout = ${switchMs}`);
  await client.query(inSchema('LOCK TABLE {schema}.events IN SHARE ROW EXCLUSIVE MODE', schema));
  let place = from;
  for (let last = false; !last;) {
    const portion = await readPortion(client, rebuilding, place, portionSize, true);
    await write(client, rebuilding, portion);
    place = portion.end;
    last = portion.last;
  }
  for (const table of room.tables) {
    await client.query(`DROP TABLE ${schema}.${quoted(table)}`);
    await client.query(`ALTER TABLE ${beside}.${quoted(table)} SET SCHEMA ${schema}`);
    await moveParts(client, beside, schema);
  }
}

/** Partitions stand beside their table and are moved one by one. */
async function moveParts(client: PoolClient, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_inherits h ON h.inhrelid = c.oid JOIN pg_class p ON p.oid = h.inhparent
      WHERE c.relnamespace = $1::regnamespace AND p.relnamespace = $2::regnamespace AND c.relkind IN ('r', 'p')`,
    [from, to],
  );
  for (const { name } of rows) await client.query(`ALTER TABLE ${from}.${quoted(name)} SET SCHEMA ${to}`);
  if (rows.length > 0) await moveParts(client, from, to);
}

const namesOf = (room: Room): string[] => room.views.map((view) => view.name);

/** `{schema}.<table>` means the new table where the view has one of that name, and the live schema otherwise. */
const placeIn =
  (schema: string, beside: string, tables: readonly string[]) =>
  (sql: string): string =>
    inSchema(
      sql.replaceAll(/\{schema\}\.(\w+)/g, (whole, table: string) =>
        tables.includes(table) ? `${beside}.${table}` : whole,
      ),
      schema,
    );

/** Views that name a table in common are rebuilt together. */
function roomsOf(views: readonly InlineView[]): Room[] {
  let rooms: Room[] = [];
  for (const view of views) {
    const { tables = [] } = view;
    if (tables.length === 0) continue;
    const touching = rooms.filter((room) => room.tables.some((table) => tables.includes(table)));
    rooms = rooms.filter((room) => !touching.includes(room));
    rooms.push({
      tables: [...new Set([...touching.flatMap((room) => room.tables), ...tables])],
      views: [...touching.flatMap((room) => room.views), view],
    });
  }
  return rooms;
}
