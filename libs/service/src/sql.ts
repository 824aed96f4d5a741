import { databaseError, isUnavailable } from '@messaging-gateway/runtime';
import { DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg';

/** Rows of a parameterised query. Values are never put into the text. */
export interface Sql {
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs all or nothing. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Texts that are prepared once per connection, at most; a service with more than that builds texts at run time. */
const preparedTexts = 500;
const names = new Map<string, string>();
let named = 0;

/** A prepared statement is parsed and planned once per connection. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= preparedTexts) return known;
  return newNameOf(text);
}

function newNameOf(text: string): string {
  const name = `q${named++}`;
  names.set(text, name);
  return name;
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
  /** Texts with lists of any length are not: there would be one for each length. Default true. */
  readonly prepared?: boolean;
  /** Whether it may be run again: it is no part of a transaction, which would be lost with it. */
  readonly again: boolean;
}

/** Carries out one statement. @throws Unavailable when the database is away */
export async function statement<Row extends object>(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[],
  { prepared = true, again }: Manner,
): Promise<QueryResult<Row>> {
  const name = prepared ? nameOf(text) : undefined;
  const run = (as: string | undefined): Promise<QueryResult<Row>> =>
    on.query<Row>({ text, values: values.map(withoutNul), ...(as !== undefined && { name: as }) });
  try {
    return await run(name).catch((error: unknown) => {
      if (!isOutdated(error)) throw error;
      // A new name is prepared anew on each connection. What was begun with the old one in a transaction is lost with it.
      const fresh = names.get(text) === name ? newNameOf(text) : names.get(text);
      if (!again) throw error;
      return run(fresh);
    });
  } catch (error) {
    throw databaseError(error);
  }
}

async function rowsOf<Row extends object>(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await statement<Row>(on, text, values, { again: on instanceof Pool })).rows;
}

/**
 * Plain SQL on a pool. `bigint` and `numeric` come back as text, `json` parsed, timestamps as `Date`.
 *
 * @see docs/decisions/0560-columns-are-named.md
 */
export function sqlOn(pool: Pool): Sql {
  return {
    query: (text, values) => rowsOf(pool, text, values),
    transaction: (work) => inTransaction(pool, work),
  };
}

async function inTransaction<T>(pool: Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw databaseError(error);
  });
  let broken = false;
  const sql: Sql = { query: (text, values) => rowsOf(client, text, values), transaction: (inner) => inner(sql) };
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
