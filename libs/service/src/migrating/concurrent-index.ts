import type { ClientBase } from 'pg';

const form =
  /^\s*create\s+(?<unique>unique\s+)?index\s+concurrently\s+(?<name>\w+)\s+on\s+(?:\w+\.)?(?<table>\w+)\s+(?<rest>[^;]+?)\s*;?\s*$/i;

/** An index that is made beside writers. */
export interface ConcurrentIndex {
  readonly unique: boolean;
  readonly name: string;
  readonly table: string;
  /** Method, columns and condition. */
  readonly rest: string;
}

/** @returns undefined for a step that runs in a transaction; @throws Error for one that would do more beside it */
export function concurrentIndex(sql: string): ConcurrentIndex | undefined {
  if (!/\bconcurrently\b/i.test(sql)) return undefined;
  const { unique, name, table, rest } = form.exec(sql)?.groups ?? {};
  if (name === undefined || table === undefined || rest === undefined)
    throw new Error('What is done concurrently is a step of its own: CREATE [UNIQUE] INDEX CONCURRENTLY <name> ON …');
  return { unique: unique !== undefined, name, table, rest };
}

/** The statement for a transaction: for a schema that nobody uses yet. */
export const atOnce = (sql: string): string => sql.replace(/\bconcurrently\b/i, '');

/**
 * Makes it, without holding up writers. What an interrupted run has left is taken up: indexes that are whole stay,
 * others are made anew. On a partitioned table each partition gets its own, then they are put together.
 */
export async function makeConcurrently(client: ClientBase, schema: string, index: ConcurrentIndex): Promise<void> {
  const { unique, name, table, rest } = index;
  const kind = unique ? 'UNIQUE INDEX' : 'INDEX';
  const { rows: tables } = await client.query<{ partitioned: boolean }>(
    `SELECT relkind = 'p' AS partitioned FROM pg_class WHERE oid = to_regclass($1)`,
    [`${schema}.${table}`],
  );
  if (tables[0]?.partitioned !== true)
    return makeWhole(client, schema, name, `CREATE ${kind} CONCURRENTLY ${name} ON "${schema}".${table} ${rest}`);
  if ((await isWhole(client, schema, name)) === undefined)
    await client.query(`CREATE ${kind} ${name} ON ONLY "${schema}".${table} ${rest}`);
  for (const partition of await partitionsWithout(client, schema, index)) {
    const own = `${partition}_${name}`.slice(0, 63);
    await makeWhole(client, schema, own, `CREATE ${kind} CONCURRENTLY ${own} ON "${schema}".${partition} ${rest}`);
    await client.query(`ALTER INDEX "${schema}".${name} ATTACH PARTITION "${schema}".${own}`);
  }
}

async function makeWhole(client: ClientBase, schema: string, name: string, statement: string): Promise<void> {
  const whole = await isWhole(client, schema, name);
  if (whole === true) return;
  if (whole === false) await client.query(`DROP INDEX CONCURRENTLY "${schema}".${name}`);
  await client.query(statement);
}

/** @returns undefined when there is none of this name */
async function isWhole(client: ClientBase, schema: string, name: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ whole: boolean }>(
    'SELECT indisvalid AND indisready AS whole FROM pg_index WHERE indexrelid = to_regclass($1)',
    [`${schema}.${name}`],
  );
  return rows[0]?.whole;
}

async function partitionsWithout(
  client: ClientBase,
  schema: string,
  { name, table }: ConcurrentIndex,
): Promise<string[]> {
  const { rows } = await client.query<{ partition: string }>(
    `SELECT c.relname AS partition FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = to_regclass($1) AND NOT EXISTS (
        SELECT FROM pg_inherits attached JOIN pg_index own ON own.indexrelid = attached.inhrelid
         WHERE attached.inhparent = to_regclass($2) AND own.indrelid = c.oid)
      ORDER BY 1`,
    [`${schema}.${table}`, `${schema}.${name}`],
  );
  return rows.map(({ partition }) => partition);
}
