import type { Pool } from 'pg';

/** A row that holds a text in the clear. */
export interface TextPlace {
  readonly table: string;
  readonly text: string;
  /** The beginning of the row. */
  readonly row: string;
}

/** In which rows of all tables of a database these texts occur. */
export async function findTexts(database: Pool, texts: readonly string[]): Promise<TextPlace[]> {
  const { rows: tables } = await database.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const searched = tables.map(async ({ name }) => {
    const { rows } = await database.query<TextPlace>(
      `SELECT '${name}' AS table, given AS text, left(t::text, 400) AS row
         FROM unnest($1::text[]) given JOIN ${name} t ON position(given IN t::text) > 0`,
      [texts],
    );
    return rows;
  });
  return (await Promise.all(searched)).flat();
}
