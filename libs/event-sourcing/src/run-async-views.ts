import type { Clock } from '@messaging-gateway/runtime';
import type { Pool, PoolClient } from 'pg';
import type { AsyncView, ViewSql } from './async-view.ts';
import { comparePlaces, readCheckpoint, writeCheckpoint } from './checkpoints.ts';
import type { JournalReader } from './event-store.ts';
import { inSchema } from './journal-migration.ts';

export interface AsyncViewsOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly reader: JournalReader;
  readonly views: readonly AsyncView[];
  readonly clock: Clock;
  /** Told of each failure; the view is tried again after `retryMs`. */
  readonly onFault: (view: string, fault: unknown) => void;
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

/** @returns whether there may be more */
async function writePortion(view: AsyncView, { pool, schema, reader }: AsyncViewsOptions): Promise<boolean> {
  const name = checkpointOf(view);
  const from = await readCheckpoint(viewSql(pool, schema), schema, name);
  const entries = await reader.after(from, portion);
  const last = entries.at(-1);
  if (last === undefined) return false;
  // Read before the transaction begins, so that it is short: an open one holds up the readers of every journal.
  await inTransaction(pool, async (client) => {
    const sql = viewSql(client, schema);
    await sql.query(`INSERT INTO {schema}.checkpoints (name) VALUES ($1) ON CONFLICT DO NOTHING`, [name]);
    const present = await readCheckpoint(sql, schema, name, true);
    if (comparePlaces(present, from) !== 0) return;
    await view.handle(entries, sql);
    await writeCheckpoint(sql, schema, name, last.place);
  });
  return true;
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
      broken = false;
      throw error;
    }
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}
