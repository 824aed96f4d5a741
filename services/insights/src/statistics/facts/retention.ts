import { partitioned, type Job, type RotatedTable, type ServiceTools } from '@messaging-gateway/service';
import type { InsightsSettings } from '../../config.ts';
import { dayMs } from './counts.ts';
import { firstPlaceAt } from './place.ts';

const factsByMonth: RotatedTable = {
  table: 'message_facts',
  column: 'place',
  rest: 'message_facts_rest',
  storage: 'fillfactor = 85',
  by: 'month',
  ahead: 3,
  boundAt: firstPlaceAt,
};

/** Longest wait of progress for its message, milliseconds: after that the message was never accepted. */
const patienceMs = 7 * dayMs;

/** The beginning of the oldest day of UTC that is counted, milliseconds since 1970: days go as a whole, so that all counts agree. */
export const oldestKept = (now: number, days: number): number => Math.floor((now - days * dayMs) / dayMs) * dayMs;

/** Keeps partitions ready, and removes facts and counts once they are older than STATISTICS_RETENTION_DAYS: every hour. */
export function statisticsRetention(tools: ServiceTools<InsightsSettings>): Job {
  const { sql, clock, settings } = tools;
  const days = settings.statisticsRetentionDays;
  const afterwards = async (): Promise<void> => {
    const now = clock.now();
    const oldest = oldestKept(now, days);
    const [place, time] = [firstPlaceAt(oldest), new Date(oldest)];
    for (const table of ['message_facts', 'fact_places'])
      await sql.query(`DELETE FROM ${table} WHERE place < $1`, [place]);
    await sql.query('DELETE FROM message_quarters WHERE quarter < $1', [time]);
    await sql.query('DELETE FROM message_flow WHERE quarter < $1', [time]);
    for (const table of ['message_days', 'chat_days']) await sql.query(`DELETE FROM ${table} WHERE day < $1`, [time]);
    await sql.query('DELETE FROM answers WHERE answered_at < $1', [time]);
    await sql.query('DELETE FROM chats WHERE greatest(last_incoming, last_answer_any) < $1', [place]);
    await sql.query('DELETE FROM message_days WHERE count = 0 AND day < $1', [new Date(now - 2 * dayMs)]);
    await sql.query('DELETE FROM message_quarters WHERE count = 0 AND quarter < $1', [new Date(now - 2 * dayMs)]);
    await sql.query('DELETE FROM progress_ahead WHERE at < $1', [new Date(now - patienceMs)]);
    await sql.query('DELETE FROM statistics_erased WHERE at < $1', [time]);
  };
  // A month stays until its last day is no longer counted.
  const keptMs = (days + 1) * dayMs;
  return partitioned(tools, 'retention of statistics', [{ ...factsByMonth, keptMs }], { afterwards });
}
