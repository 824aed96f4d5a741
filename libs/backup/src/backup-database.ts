import { quoted } from '@messaging-gateway/event-sourcing';
import type { Client } from 'pg';
import { to } from 'pg-copy-streams';
import { archiveWriter } from './archive.ts';
import type { ArchiveWriter } from './archive.ts';
import { withClient } from './connection.ts';
import { extensions, schemaDefinition } from './database-schema.ts';
import type { TableToCopy } from './database-schema.ts';

/** Bytes of one portion before compression. */
const portionBytes = 4 * 1024 * 1024;

export interface BackupSummary {
  readonly file: string;
  readonly schemas: readonly string[];
  readonly rows: number;
}

/**
 * Writes the schemas as they are at one moment into one file, while everything goes on. The keys of subjects are in
 * it as the database holds them: encrypted with `ENCRYPTION_KEY`, which is not in it.
 *
 * @param url the database
 * @param schemas those that are not there are left out
 * @param file appears under its name when it is complete
 */
export async function backupDatabase(url: string, schemas: readonly string[], file: string): Promise<BackupSummary> {
  return withClient(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const outline = {
      format: 1 as const,
      at: new Date().toISOString(),
      postgres: (await client.query<{ server_version: string }>('SHOW server_version')).rows[0]?.server_version ?? '',
      extensions: await extensions(client),
      schemas: [],
    };
    const definitions = [];
    const present = await presentOf(client, schemas);
    for (const schema of present) definitions.push(await schemaDefinition(client, schema));
    const archive = archiveWriter(file);
    try {
      await archive.outline({ ...outline, schemas: definitions });
      const rows: Record<string, number> = {};
      for (const table of definitions.flatMap((definition) => definition.tables)) {
        rows[`${table.schema}.${table.table}`] = await copyOut(client, table, archive);
      }
      await archive.finish(rows);
      return { file, schemas: present, rows: Object.values(rows).reduce((sum, count) => sum + count, 0) };
    } catch (error) {
      await archive.discard();
      throw error;
    }
  });
}

/** @throws Error when there is none of them */
async function presentOf(client: Client, schemas: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT nspname AS name FROM pg_namespace WHERE nspname = ANY($1)',
    [schemas],
  );
  const present = new Set(rows.map(({ name }) => name));
  if (present.size === 0) throw new Error('The database holds nothing to back up.');
  return schemas.filter((schema) => present.has(schema));
}

/** @returns how many rows were copied */
async function copyOut(
  client: Client,
  { schema, table, columns }: TableToCopy,
  archive: ArchiveWriter,
): Promise<number> {
  if (columns.length === 0) return 0;
  const name = `${schema}.${table}`;
  const stream = client.query(
    to(`COPY ${quoted(schema)}.${quoted(table)} (${columns.map(quoted).join(', ')}) TO STDOUT`),
  );
  let chunks: Buffer[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (bytes > 0) await archive.portion(name, Buffer.concat(chunks));
    chunks = [];
    bytes = 0;
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= portionBytes) await flush();
  }
  await flush();
  // The rows end before the server has said how many they were: whatever is asked next is answered after that.
  await client.query('SELECT 1');
  return stream.rowCount;
}
