import { adoptCluster, assertRightKey, eraseAgain } from '@messaging-gateway/event-sourcing';
import type { EncryptionKeys } from '@messaging-gateway/runtime';
import pg from 'pg';
import { storages } from '../services.ts';

/**
 * Makes the journals of a database that was brought over by other means this cluster's own, without whom was erased.
 *
 * @returns the schemas whose views are to be rebuilt
 * @throws WrongKey before anything is changed
 */
export async function adopt(
  databaseUrl: string,
  encryption: EncryptionKeys,
  erased: readonly string[],
): Promise<string[]> {
  const journals = Object.values(storages).map(({ schema }) => schema);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const schema of journals) await assertRightKey(client, schema, encryption);
    await client.query('BEGIN');
    await adoptCluster(client, journals);
    const changed = await eraseAgain(client, journals, erased);
    await client.query('COMMIT');
    return changed;
  } finally {
    await client.end();
  }
}
