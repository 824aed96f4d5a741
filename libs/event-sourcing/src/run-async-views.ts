import { isUnavailable, Unavailable, type Clock } from '@messaging-gateway/runtime';
import type { Pool, PoolClient } from 'pg';
import type { AsyncView, ViewSql } from './async-view.ts';
import { comparePlaces, readCheckpoint, writeCheckpoint } from './checkpoints.ts';
import type { JournalReader } from './event-store.ts';
import type { UnreadableEntry } from './journal-entry.ts';
import { inSchema } from './journal-migration.ts';
import { isDamaged, needsNewer, unreadableText } from './unreadable.ts';

export interface AsyncViewsOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly reader: JournalReader;
  readonly views: readonly AsyncView[];
  readonly clock: Clock;
  /** Told of each failure; the view is tried again after `retryMs`. */
  readonly onFault: (view: string, fault: unknown) => void;
  /** Told of each damaged entry that a view goes on without. */
  readonly onDamaged?: (view: string, entry: UnreadableEntry) => void;
}

/** Entries in one transaction, at most. */
const portion = 500;
const retryMs = 1000;

/** Keeps views up to date until it is stopped. Replicas may do so at the same time: each portion is written once. */
export function runAsyncViews(options: AsyncViewsOptions): { stop(): Promise<void> } {
  const running = options.views.map((view) => runView(view, options));
  return { stop: async () => void (await Promise.all(running.map((one) => one.stop()))) };
}

function runView(view: AsyncView, options: AsyncViewsOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let wake = (): void => undefined;
  let news = true;
  const stopListening = options.reader.onNews(() => {
    news = true;
    wake();
  });
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (!news) await new Promise<void>((resolve) => (wake = resolve));
      news = false;
      try {
        while (!stopping.signal.aborted && (await writePortion(view, options)));
      } catch (fault) {
        news = true;
        options.onFault(view.name, fault);
        await options.clock.sleep(retryMs, stopping.signal).catch(() => undefined);
      }
    }
  };
  const finished = run();
  return {
    stop: async () => {
      stopListening();
      stopping.abort();
      wake();
      await finished;
    },
  };
}

/**
 * Goes on without what is damaged, and stops before what needs a newer version: a replica of that one goes on.
 *
 * @returns whether there may be more
 * @throws Unavailable when the next entry needs a newer version
 */
async function writePortion(view: AsyncView, { pool, schema, reader, onDamaged }: AsyncViewsOptions): Promise<boolean> {
  const name = checkpointOf(view);
  const generation = await generationOf(viewSql(pool, schema));
  const from = await readCheckpoint(viewSql(pool, schema), schema, name);
  const read = await reader.after(from, portion);
  const [first] = read;
  if (first === undefined) return false;
  if (needsNewer(first)) throw new Unavailable(unreadableText(first));
  const newer = read.findIndex(needsNewer);
  const known = newer === -1 ? read : read.slice(0, newer);
  const entries = known.filter((entry) => entry.unreadable === undefined);
  const last = known.at(-1) ?? first;
  const damaged = known.filter(isDamaged);
  // Read before the transaction begins, so that it is short: an open one holds up the readers of every journal.
  const isWritten = await inTransaction(pool, async (client) => {
    const sql = viewSql(client, schema);
    await sql.query(`INSERT INTO {schema}.checkpoints (name) VALUES ($1) ON CONFLICT DO NOTHING`, [name]);
    const present = await readCheckpoint(sql, schema, name, true);
    if (comparePlaces(present, from) !== 0 || (await generationOf(sql)) !== generation) return false;
    if (entries.length > 0) await view.handle(entries, sql);
    await writeCheckpoint(sql, schema, name, last.place);
    return true;
  });
  if (isWritten) for (const entry of damaged) onDamaged?.(view.name, entry);
  return true;
}

/** What was read in another generation may be gone. */
async function generationOf(sql: ViewSql): Promise<number | undefined> {
  const [row] = await sql.query<{ generation: number }>('SELECT generation FROM {schema}.journal');
  return row?.generation;
}

export const checkpointOf = (view: AsyncView): string => `view ${view.name}`;

/** Queries with `{schema}.<table>` put in place. */
export function viewSql(
  database: Pool | PoolClient,
  schema: string,
  place: (text: string) => string = (text) => inSchema(text, schema),
): ViewSql {
  return {
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await database.query<Row>(place(text), [...values])).rows,
  };
}

/** Runs all or nothing on one connection. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const ignore = (): void => undefined;
  client.on('error', ignore);
  let broken = true;
  try {
    await client.query('BEGIN');
    try {
      const result = await work(client);
      await client.query('COMMIT');
      broken = false;
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      broken = isUnavailable(error);
      throw error;
    }
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}
