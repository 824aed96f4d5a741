import { databaseError, isUnavailable } from '@messaging-gateway/runtime';
import { DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg';
import { PreparedTexts } from './prepared-texts.ts';

/** Rows of a parameterised query. Values are never put into the text. */
export interface Sql {
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs all or nothing. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Whether the answer of a statement has got another type since it was prepared on a connection: a migration beside us. */
const isOutdated = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/** PostgreSQL's texts hold no NUL: as in what the journal keeps, U+FFFD stands in its place. */
function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  return Array.isArray(value) ? value.map(withoutNul) : value;
}

/** How a statement is carried out. */
interface Manner {
  /** Parses and plans the text once per connection. Absent for texts with lists of any length: there would be one for each length. */
  readonly prepared?: PreparedTexts | undefined;
  /** Whether it may be run again: it is no part of a transaction, which would be lost with it. */
  readonly again: boolean;
}

/** Carries out one statement. @throws Unavailable when the database is away */
export async function statement<Row extends object>(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[],
  { prepared, again }: Manner,
): Promise<QueryResult<Row>> {
  const name = prepared?.nameOf(text);
  const run = (as: string | undefined): Promise<QueryResult<Row>> =>
    on.query<Row>({ text, values: values.map(withoutNul), ...(as !== undefined && { name: as }) });
  try {
    return await run(name).catch((error: unknown) => {
      if (!isOutdated(error) || prepared === undefined || name === undefined) throw error;
      const fresh = prepared.renewed(text, name);
      // What was begun with the old name in a transaction is lost with it.
      if (!again) throw error;
      return run(fresh);
    });
  } catch (error) {
    throw databaseError(error);
  }
}

async function rowsOf<Row extends object>(
  on: Pool | PoolClient,
  prepared: PreparedTexts,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await statement<Row>(on, text, values, { prepared, again: on instanceof Pool })).rows;
}

/**
 * Plain SQL on a pool. `bigint` and `numeric` come back as text, `json` parsed, timestamps as `Date`.
 *
 * @see docs/decisions/0560-columns-are-named.md
 */
export function sqlOn(pool: Pool): Sql {
  const prepared = new PreparedTexts();
  return {
    query: (text, values) => rowsOf(pool, prepared, text, values),
    transaction: (work) => inTransaction(pool, prepared, work),
  };
}

async function inTransaction<T>(pool: Pool, prepared: PreparedTexts, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw databaseError(error);
  });
  let broken = false;
  const sql: Sql = {
    query: (text, values) => rowsOf(client, prepared, text, values),
    transaction: (inner) => inner(sql),
  };
  try {
    await sql.query('begin');
    const result = await work(sql);
    await sql.query('commit');
    return result;
  } catch (error) {
    // A session that was begun while the server was read-only stays so: a new one is not.
    broken = isUnavailable(error);
    await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}
