import { partitioned, type Job, type RotatedTable } from '@messaging-gateway/service';
import { noteDropped, removeLogged } from './removing.ts';
import type { EventLogTools } from './tools.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** By the day on which it happened. */
const byDay = (table: string): RotatedTable => ({
  table,
  column: 'occurred_at',
  rest: `${table}_other`,
  by: 'day',
  ahead: 2,
});
export const loggedByDay = [byDay('event_log'), byDay('deliveries')] as const;

/**
 * Removes events, their deliveries and what still waits once they are older than the retention: every hour, and as
 * often as a shorter retention needs.
 *
 * @param days EVENT_RETENTION_DAYS
 */
export function retention(tools: Pick<EventLogTools, 'sql' | 'patiently' | 'clock' | 'log'>, days: number): Job {
  const { sql } = tools;
  const keptMs = days * dayMs;
  const [log, deliveries] = loggedByDay;
  // Before it goes: a reader must not find a gap that nobody told of.
  const beforeDrop = (partition: string): Promise<void> => noteDropped(sql, partition);
  const tables = [
    { ...log, keptMs, beforeDrop },
    { ...deliveries, keptMs },
  ];
  return partitioned(tools, 'retention of events', tables, {
    interval: Math.min(hourMs, Math.max(keptMs / 10, 1000)),
    afterwards: () => cleanUp(tools, keptMs),
  });
}

async function cleanUp(
  { sql, clock, log }: Pick<EventLogTools, 'sql' | 'clock' | 'log'>,
  keptMs: number,
): Promise<void> {
  const before = new Date(clock.now() - keptMs);
  // By the time they came in: what happened while this service was off is still to be delivered.
  const expired = await sql.query('DELETE FROM outstanding WHERE created_at < $1 AND due_at IS NOT NULL RETURNING 1', [
    before,
  ]);
  if (expired.length > 0) log.warn('Deliveries expired before they could be made', { count: expired.length });
  // Whole days go with their partition, up to a day late. Row by row goes what has no partition of its own, and
  // everything when less than two days are kept, where a day would be much.
  const suffix = keptMs < 2 * dayMs ? '' : '_other';
  await removeLogged(sql, `event_log${suffix}`, before);
  await sql.query(`DELETE FROM deliveries${suffix} WHERE settled_at < $1`, [before]);
}
