import { databaseError } from '@messaging-gateway/runtime';
import type { Pool, PoolClient } from 'pg';
import type { Sql } from './module.ts';

/** Texts that are prepared once per connection, at most; a service with more than that builds texts at run time. */
const preparedTexts = 500;
const names = new Map<string, string>();

/** A prepared statement is parsed and planned once per connection. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= preparedTexts) return known;
  const name = `q${names.size}`;
  names.set(text, name);
  return name;
}

/** PostgreSQL's texts hold no NUL: as in what the journal keeps, U+FFFD stands in its place. */
function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  return Array.isArray(value) ? value.map(withoutNul) : value;
}

async function rowsOf<Row extends object>(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const name = nameOf(text);
  try {
    const { rows } = await on.query<Row>({ text, values: values.map(withoutNul), ...(name !== undefined && { name }) });
    return rows;
  } catch (error) {
    throw databaseError(error);
  }
}

/** Plain SQL on a pool. `bigint` and `numeric` come back as text, `json` parsed, timestamps as `Date`. */
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
    await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}
