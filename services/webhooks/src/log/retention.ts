import type { Clock, Logger } from '@messaging-gateway/runtime';
import { every, type Job, type ServiceTools } from '@messaging-gateway/service';
import { turnPartitions } from './partitions.ts';
import { removeLogged } from './removing.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export interface RetentionParts {
  readonly sql: ServiceTools<unknown>['sql'];
  readonly patiently: ServiceTools<unknown>['patiently'];
  readonly clock: Clock;
  readonly log: Logger;
  /** EVENT_RETENTION_DAYS */
  readonly days: number;
}

/**
 * Removes events, their deliveries and what still waits once they are older than the retention: every hour, and as
 * often as a shorter retention needs.
 */
export function retention(parts: RetentionParts): Job {
  const keptMs = parts.days * dayMs;
  const interval = Math.min(hourMs, Math.max(keptMs / 10, 1000));
  return every(interval, 'retention of events', (signal) => cleanUp({ ...parts, signal }, keptMs), {
    first: 'awaited',
  });
}

async function cleanUp(
  { sql, patiently, clock, log, signal }: RetentionParts & { readonly signal: AbortSignal },
  keptMs: number,
): Promise<void> {
  const now = clock.now();
  await turnPartitions({ sql, patiently, log, signal }, now, keptMs);
  const before = new Date(now - keptMs);
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
