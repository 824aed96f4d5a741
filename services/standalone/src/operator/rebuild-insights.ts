import { inbox, listCountedMessages } from '@messaging-gateway/inbox';
import { insights, insightsSettings, rebuildStatistics, statisticsViews } from '@messaging-gateway/insights';
import { readSettings, systemClock } from '@messaging-gateway/runtime';
import { sqlOn } from '@messaging-gateway/service';
import pg from 'pg';
import { note } from './verb.ts';

/**
 * Makes the views of insights anew, which has no journal: from the facts that it has taken in, and what the inbox has and it lacks.
 *
 * @param view one of them; they are made anew together
 * @returns their names
 */
export async function rebuildInsights(databaseUrl: string, view?: string): Promise<readonly string[]> {
  if (view !== undefined && !statisticsViews.includes(view))
    throw new Error(`insights has no view "${view}" that can be rebuilt.`);
  const { statisticsRetentionDays: retentionDays } = readSettings(insightsSettings, process.env);
  const open = ({ schema }: { readonly schema: string }): pg.Pool =>
    new pg.Pool({
      connectionString: databaseUrl,
      max: 2,
      options: `-c search_path=${schema},public`,
      application_name: 'command',
    });
  const [own, ofInbox] = [open(insights.storage), open(inbox.storage)];
  try {
    return await alone(own, async () => {
      const [sql, stored] = [sqlOn(own), sqlOn(ofInbox)];
      const read = (asked: Parameters<typeof listCountedMessages>[1]) => listCountedMessages(stored, asked);
      return rebuildStatistics({ sql, clock: systemClock, retentionDays, read, say: note });
    });
  } finally {
    await Promise.all([own.end(), ofInbox.end()]);
  }
}

async function alone<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const holder = await pool.connect();
  try {
    const { rows } = await holder.query<{ free: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS free', [
      'rebuild insights',
    ]);
    if (rows[0]?.free !== true) throw new Error('Another rebuild of insights is running.');
    return await work();
  } finally {
    // Gives back the lock.
    holder.release(true);
  }
}
