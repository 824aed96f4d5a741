import { rebuildViews } from '@messaging-gateway/event-sourcing';
import { encryptionKeys, systemClock } from '@messaging-gateway/runtime';
import pg from 'pg';
import type { Settings } from './config.ts';
import { storages } from './services.ts';

/**
 * Makes the views of a service anew from its journal.
 *
 * @param view only this one; absent: all that can be rebuilt
 * @returns the names of those that were
 */
export async function rebuildViewsOf(
  name: string,
  databaseUrl: string,
  settings: Settings,
  view?: string,
): Promise<readonly string[]> {
  const storage = storages[name];
  if (storage === undefined) throw new Error(`There is no service "${name}".`);
  const { encryptionKey, previousEncryptionKeys } = settings.standalone;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 4,
    options: `-c search_path=${storage.schema},public`,
  });
  try {
    return await rebuildViews({
      pool,
      ...storage,
      encryption: encryptionKeys(encryptionKey, previousEncryptionKeys),
      clock: systemClock,
      ...(view !== undefined && { view }),
    });
  } finally {
    await pool.end();
  }
}
