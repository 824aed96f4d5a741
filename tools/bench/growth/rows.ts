import type { Client } from 'pg';

/** A row of a table as text, column by column. */
export interface RealRow {
  /** `schema.table` */
  readonly table: string;
  readonly columns: readonly string[];
  readonly values: readonly (string | null)[];
}

/** Places of readers, owners and present processes: nothing that a message leaves behind. */
const passing =
  /\.(?:checkpoints|subject_keys|journal|leases|replicas|dispatchers|migrations|log_heads|lanes|policies)$/;

/** All rows of the database, in any table, that name one of these texts. Generated columns are left out. */
export async function rowsNaming(client: Client, texts: readonly string[]): Promise<RealRow[]> {
  const tables = await client.query<{ table: string; columns: string[] }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attidentity = '' AND a.attgenerated = ''
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname !~ '^(pg_|information_schema|identity)'
      GROUP BY n.nspname, c.relname ORDER BY 1`,
  );
  const found: RealRow[] = [];
  for (const { table, columns } of tables.rows) {
    if (passing.test(table)) continue;
    const own = columns.filter(
      (column) => !(table.endsWith('.events') && /^(?:generation|transaction_id)$/.test(column)),
    );
    const { rows } = await client.query<Record<string, string | null>>(
      `SELECT ${own.map((column) => `"${column}"::text`).join(', ')} FROM ${table} x
        WHERE x::text ~ $1${table.endsWith('.events') ? ' ORDER BY position' : ''}`,
      [texts.join('|')],
    );
    found.push(...rows.map((row) => ({ table, columns: own, values: own.map((column) => row[column] ?? null) })));
  }
  return found;
}
