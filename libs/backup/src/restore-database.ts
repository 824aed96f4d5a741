import { adoptCluster, eraseAgain, quoted } from '@messaging-gateway/event-sourcing';
import type { Client } from 'pg';
import { from } from 'pg-copy-streams';
import type { CopyStreamQuery } from 'pg-copy-streams';
import { portions, verifyArchive } from './archive.ts';
import type { Manifest, Outline } from './archive.ts';
import { withClient } from './connection.ts';
import type { TableToCopy } from './database-schema.ts';

export interface RestoreSummary {
  readonly schemas: readonly string[];
  /** When the backup was made, ISO 8601. */
  readonly at: string;
  readonly rows: number;
  /** Schemas with subjects that were erased again: their views are to be rebuilt before anything starts. */
  readonly erasedAgain: readonly string[];
}

/**
 * Brings a backup into an empty database, of this or another PostgreSQL cluster, all or nothing. What it holds comes
 * before whatever is written from now on; consumers go on where they stood.
 *
 * @param erased subjects erased since the backup was made, from the log of erasures: their keys are destroyed again
 * @throws Error when the backup is damaged, or one of its schemas is there already
 */
export async function restoreDatabase(
  file: string,
  url: string,
  erased: readonly string[] = [],
): Promise<RestoreSummary> {
  const { outline, manifest } = await verifyArchive(file);
  const schemas = outline.schemas.map((definition) => definition.schema);
  return withClient(url, async (client) => {
    await refuseOverwriting(client, schemas);
    await client.query('BEGIN');
    await client.query('SET LOCAL check_function_bodies = off');
    for (const statement of outline.extensions) await client.query(statement);
    for (const { before } of outline.schemas) for (const statement of before) await client.query(statement);
    await copyIn(client, file, outline);
    for (const { after } of outline.schemas) for (const statement of after) await client.query(statement);
    await compareCounts(client, manifest);
    const journals = await journalsOf(client, schemas);
    await adoptCluster(client, journals);
    const erasedAgain = await eraseAgain(client, journals, erased);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return {
      schemas,
      at: outline.at,
      rows: Object.values(manifest.rows).reduce((sum, count) => sum + count, 0),
      erasedAgain,
    };
  });
}

async function refuseOverwriting(client: Client, schemas: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT DISTINCT n.nspname AS schema FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid WHERE n.nspname = ANY($1::text[])`,
    [schemas],
  );
  if (rows.length > 0) {
    throw new Error(
      `The database already holds ${rows.map((row) => row.schema).join(', ')}: a backup is restored into an empty database.`,
    );
  }
}

async function copyIn(client: Client, file: string, outline: Outline): Promise<void> {
  const tables = new Map(
    outline.schemas.flatMap(({ tables }) => tables).map((table) => [`${table.schema}.${table.table}`, table]),
  );
  let stream: CopyStreamQuery | undefined;
  let current: string | undefined;
  for await (const { table, rows } of portions(file)) {
    if (table !== current) {
      await ended(stream);
      stream = client.query(from(copyText(tables.get(table), table)));
      current = table;
    }
    await written(stream as CopyStreamQuery, rows);
  }
  await ended(stream);
}

function copyText(found: TableToCopy | undefined, table: string): string {
  if (found === undefined) throw new Error(`The backup holds rows of ${table}, but not how the table is made.`);
  return `COPY ${quoted(found.schema)}.${quoted(found.table)} (${found.columns.map(quoted).join(', ')}) FROM STDIN`;
}

const written = (stream: CopyStreamQuery, rows: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.write(rows, (error) => {
      stream.off('error', reject);
      if (error) reject(error);
      else resolve();
    });
  });

const ended = (stream: CopyStreamQuery | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (stream === undefined) return resolve();
    stream.once('error', reject).once('finish', resolve).end();
  });

async function compareCounts(client: Client, { rows }: Manifest): Promise<void> {
  for (const [name, expected] of Object.entries(rows)) {
    const [schema = '', table = ''] = name.split('.', 2);
    const counted = await client.query<{ count: string }>(
      `SELECT count(*) AS count FROM ${quoted(schema)}.${quoted(table)}`,
    );
    if (Number(counted.rows[0]?.count) !== expected)
      throw new Error(`${name} has other rows after the restore than the backup says.`);
  }
}

/** The schemas that hold a journal (others hold queues and the like). */
async function journalsOf(client: Client, schemas: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT n.nspname AS schema FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid
      WHERE n.nspname = ANY($1::text[]) AND c.relname = 'journal' AND c.relkind = 'r' ORDER BY 1`,
    [schemas],
  );
  return rows.map((row) => row.schema);
}
