import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@messaging-gateway/runtime';
import { DatabaseError } from 'pg';
import type { Sql } from './sql.ts';

/** A table with a partition for each range of a column, and one for all else. */
export interface PartitionedTable {
  readonly table: string;
  /** NOT NULL. */
  readonly column: string;
  /** The partition for what belongs to no range that was made. */
  readonly rest: string;
  /** Storage of new partitions, for example `fillfactor = 85`. */
  readonly storage?: string;
}

/** From a value of the column up to another one, which does not belong to it. Both are made by the program, of digits. */
export interface PartitionRange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Whether the partition's time is yet to come, so that only wrong clocks write to it. */
  readonly isAhead: boolean;
}

export interface PartitionTools {
  readonly sql: Sql;
  /** See `ServiceTools`. */
  readonly patiently: (statement: string, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** So long a change stands in front of a table, and everybody else behind it. */
const lockTimeout = '500ms';
/** So long the rest may be read through while nobody else can use it: for a range that has begun. */
const readThrough = '5s';
const tries = 3;
const pauseMs = 1_000;

/**
 * Makes a partition. PostgreSQL would read the whole rest with the table locked, to see that nothing there belongs to
 * the new one; so a constraint on the rest says so, and is proven beside everybody who reads and writes. Until the
 * partition is there, a row that belongs to it is refused: that is done for ranges that are ahead only.
 *
 * @returns false when it has to be tried again later, because somebody else uses the table for long
 */
export async function addPartition(
  tools: PartitionTools,
  table: PartitionedTable,
  range: PartitionRange,
): Promise<boolean> {
  const { sql, log } = tools;
  if (await isThere(sql, range.name)) return true;
  if (await isAmongRest(sql, table, range)) {
    await briefly(tools, range.name, (inside) => drop(inside, table, range));
    log.warn('Rows of a partition stay among the rest', { partition: range.name });
    return true;
  }
  const isEmpty = (await sql.query(`SELECT FROM ${table.rest} LIMIT 1`)).length === 0;
  if (!isEmpty && range.isAhead && !(await prove(tools, table, range))) return false;
  return attach(tools, table, range);
}

/** Removes a partition with all that is in it. @returns false when others use the table for long: to be tried again later */
export const dropPartition = (tools: PartitionTools, name: string): Promise<boolean> =>
  briefly(tools, name, (inside) => inside.query(`DROP TABLE IF EXISTS ${name}`));

async function isThere(sql: Sql, name: string): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM pg_inherits WHERE inhrelid = to_regclass($1)', [name])).length > 0;
}

async function isAmongRest(
  sql: Sql,
  { rest, column }: PartitionedTable,
  { from, to }: PartitionRange,
): Promise<boolean> {
  const found = await sql.query(`SELECT FROM ${rest} WHERE ${column} >= $1 AND ${column} < $2 LIMIT 1`, [from, to]);
  return found.length > 0;
}

const constraintOf = ({ name }: PartitionRange): string => `${name}_elsewhere`;

const drop = (sql: Sql, { rest }: PartitionedTable, range: PartitionRange): Promise<unknown> =>
  sql.query(`ALTER TABLE ${rest} DROP CONSTRAINT IF EXISTS ${constraintOf(range)}`);

/** @returns false: not now */
async function prove(tools: PartitionTools, table: PartitionedTable, range: PartitionRange): Promise<boolean> {
  const { rest, column } = table;
  const constraint = constraintOf(range);
  const added = await briefly(tools, range.name, async (inside) => {
    const present = await inside.query('SELECT FROM pg_constraint WHERE conrelid = to_regclass($1) AND conname = $2', [
      rest,
      constraint,
    ]);
    if (present.length > 0) return;
    const elsewhere = `${column} < '${range.from}' OR ${column} >= '${range.to}'`;
    await inside.query(`ALTER TABLE ${rest} ADD CONSTRAINT ${constraint} CHECK (${elsewhere}) NOT VALID`);
  });
  if (!added) return false;
  try {
    await tools.patiently(`ALTER TABLE ${rest} VALIDATE CONSTRAINT ${constraint}`, tools.signal);
    return true;
  } catch (error) {
    await briefly(tools, range.name, (inside) => drop(inside, table, range));
    throw error;
  }
}

function attach(tools: PartitionTools, table: PartitionedTable, range: PartitionRange): Promise<boolean> {
  const { name, from, to } = range;
  const storage = table.storage === undefined ? '' : ` WITH (${table.storage})`;
  return briefly(tools, name, async (inside) => {
    // Replicas take turns.
    await inside.query(`LOCK TABLE ${table.table} IN SHARE UPDATE EXCLUSIVE MODE`);
    if (await isThere(inside, name)) return;
    await inside.query(`LOCK TABLE ${table.rest} IN ACCESS EXCLUSIVE MODE`);
    await inside.query(`SET LOCAL statement_timeout = '${readThrough}'`);
    if (await isAmongRest(inside, table, range)) return;
    await inside.query(`CREATE TABLE ${name} (LIKE ${table.table} INCLUDING ALL)${storage}`);
    await inside.query(`ALTER TABLE ${table.table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
    await drop(inside, table, range);
  });
}

/** In a transaction that waits for locks only shortly, again and again for some seconds. @returns whether it was done */
async function briefly(
  { sql, log, signal }: PartitionTools,
  partition: string,
  work: (inside: Sql) => Promise<unknown>,
): Promise<boolean> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    try {
      await sql.transaction(async (inside) => {
        await inside.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
        await work(inside);
      });
      return true;
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === '55P03')) throw error;
      if (attempt < tries) await delay(pauseMs, undefined, { signal });
    }
  }
  log.warn('A partition waits for others who use the table', { partition });
  return false;
}
