import type { ClientBase, Pool, PoolClient } from 'pg';

/** Makes the same table, empty, in another schema: columns, constraints, indexes, triggers and partitions with their names. */
export interface TableDefinition {
  readonly table: string;
  readonly statements: readonly string[];
}

interface Names {
  readonly from: string;
  readonly to: string;
}

/** @throws Error when there is no such table */
export async function tableDefinition(
  database: Pool | PoolClient,
  names: Names,
  table: string,
): Promise<TableDefinition> {
  const { rows } = await database.query<{ oid: number; partition_key: string | null }>(
    `SELECT c.oid, CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END AS partition_key
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p')`,
    [names.from, table],
  );
  const found = rows[0];
  // With the code of the server's own error about it.
  if (found === undefined)
    throw Object.assign(new Error(`There is no table ${names.from}.${table}.`), { code: '42P01' });
  const target = `${names.to}.${quoted(table)}`;
  const partitioning = found.partition_key === null ? '' : ` PARTITION BY ${found.partition_key}`;
  return {
    table,
    statements: [
      `CREATE TABLE ${target} (LIKE ${names.from}.${quoted(table)} INCLUDING ALL EXCLUDING INDEXES EXCLUDING CONSTRAINTS)${partitioning}`,
      ...(await constraintStatements(database, found.oid, target)).map((constraint) => constraint.statement),
      ...(await indexStatements(database, found.oid, target)),
      ...(await triggerStatements(database, found.oid, target)),
      ...(await partitions(database, found.oid, names, target)),
    ],
  };
}

type Connection = Pool | PoolClient | ClientBase;

/** Adds a table's own constraints to another table, primary key first. */
export async function constraintStatements(
  database: Connection,
  oid: number,
  target: string,
): Promise<{ kind: string; statement: string }[]> {
  const { rows } = await database.query<{ name: string; kind: string; definition: string }>(
    `SELECT conname AS name, contype AS kind, pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE conrelid = $1 AND contype IN ('p', 'u', 'x', 'c', 'f') AND conislocal AND conparentid = 0 ORDER BY contype <> 'p', conname`,
    [oid],
  );
  return rows.map(({ kind, name, definition }) => ({
    kind,
    statement: `ALTER TABLE ${target} ADD CONSTRAINT ${quoted(name)} ${definition}`,
  }));
}

/** Makes a table's own indexes, but for those of its constraints, on another table. */
export async function indexStatements(database: Connection, oid: number, target: string): Promise<string[]> {
  const { rows } = await database.query<{ definition: string }>(
    `SELECT pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
      WHERE i.indrelid = $1 AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
        AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = i.indexrelid) ORDER BY i.indexrelid`,
    [oid],
  );
  return rows.map((row) => row.definition.replace(/ ON (?:ONLY )?\S+ USING /, () => ` ON ${target} USING `));
}

/** Triggers call the functions of the schema that they come from. */
async function triggerStatements(database: Connection, oid: number, target: string): Promise<string[]> {
  const { rows } = await database.query<{ definition: string }>(
    `SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger
      WHERE tgrelid = $1 AND NOT tgisinternal AND tgparentid = 0 ORDER BY oid`,
    [oid],
  );
  return rows.map((row) => row.definition.replace(/ ON \S+ /, () => ` ON ${target} `));
}

async function partitions(database: Pool | PoolClient, oid: number, names: Names, target: string): Promise<string[]> {
  const { rows } = await database.query<{ oid: number; name: string; bound: string; key: string | null }>(
    `SELECT c.oid, c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound,
            CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END AS key
       FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid WHERE h.inhparent = $1 ORDER BY c.relname`,
    [oid],
  );
  const statements: string[] = [];
  for (const row of rows) {
    const child = `${names.to}.${quoted(row.name)}`;
    const partitioning = row.key === null ? '' : ` PARTITION BY ${row.key}`;
    statements.push(`CREATE TABLE ${child} PARTITION OF ${target} ${row.bound}${partitioning}`);
    statements.push(...(await partitions(database, row.oid, names, child)));
  }
  return statements;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
