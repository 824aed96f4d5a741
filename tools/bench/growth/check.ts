import type { Pool } from 'pg';
import { rebuildViewsOf } from '../../../services/standalone/src/operator/rebuild.ts';

/** Views that are made from the journals alone, by service. */
const views = {
  inbox: ['messages', 'message_responses', 'conversations', 'conversation_aliases', 'contacts'],
  outbound: ['network_ids'],
} as const;

/**
 * Has the product make its views anew from the journals that were written here: they must come out as they were written.
 *
 * @throws Error when a table comes out different
 */
export async function assertConsistent(pool: Pool, databaseUrl: string, encryptionKey: string): Promise<void> {
  const before = await contents(pool);
  await rebuildViewsOf('inbox', databaseUrl, { encryptionKey, previousEncryptionKeys: [] });
  await rebuildViewsOf('outbound', databaseUrl, { encryptionKey, previousEncryptionKeys: [] }, 'network_ids');
  const after = await contents(pool);
  const different = [...before.keys()].filter((table) => before.get(table) !== after.get(table));
  if (different.length > 0) throw new Error(`Not as the product writes them: ${different.join(', ')}`);
}

async function contents(pool: Pool): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [schema, tables] of Object.entries(views)) {
    for (const table of tables) {
      const { rows } = await pool.query<{ digest: string }>(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(x::text, ' ' ORDER BY x::text)), '') AS digest FROM ${schema}.${table} x`,
      );
      found.set(`${schema}.${table}`, rows[0]?.digest ?? '');
    }
  }
  return found;
}
