import { rebuildViews, type UnreadableEntry } from '@messaging-gateway/event-sourcing';
import { insights } from '@messaging-gateway/insights';
import { encryptionKeys, systemClock } from '@messaging-gateway/runtime';
import pg from 'pg';
import type { CommandSettings } from './command-settings.ts';
import { storages } from '../services.ts';
import { rebuildInsights } from './rebuild-insights.ts';

/**
 * Makes the views of a service anew from its journal.
 *
 * @param view only this one; absent: all that can be rebuilt
 * @param onDamaged told of each entry that nobody can read, which the views are made without
 * @returns the names of those that were
 */
export async function rebuildViewsOf(
  name: string,
  databaseUrl: string,
  { encryptionKey, previousEncryptionKeys }: Pick<CommandSettings, 'encryptionKey' | 'previousEncryptionKeys'>,
  view?: string,
  onDamaged?: (entry: UnreadableEntry) => void,
): Promise<readonly string[]> {
  const storage = storages[name];
  if (storage === undefined) throw new Error(`There is no service "${name}".`);
  if (name === insights.name) return rebuildInsights(databaseUrl, view);
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
      ...(onDamaged !== undefined && { onDamaged }),
    });
  } finally {
    await pool.end();
  }
}
