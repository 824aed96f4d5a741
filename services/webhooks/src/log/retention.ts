import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Running, Sql } from '@messaging-gateway/service';
import { turnPartitions } from './partitions.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export interface RetentionParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Logger;
  /** EVENT_RETENTION_DAYS */
  readonly days: number;
}

/**
 * Removes events, their deliveries and what still waits once they are older than the retention: every hour, and as
 * often as a shorter retention needs.
 */
export function retention(parts: RetentionParts): Running {
  const keptMs = parts.days * dayMs;
  const everyMs = Math.min(hourMs, Math.max(keptMs / 10, 1000));
  let cancel = (): void => undefined;
  let working: Promise<void> = Promise.resolve();
  let stopped = false;
  const cleanAt = (time: number): void => {
    cancel = parts.clock.at(time, () => {
      const begun = parts.clock.now();
      working = cleanUp(parts, keptMs)
        .catch((error: unknown) => parts.log.warn('Old events not removed yet', { reason: String(error) }))
        .then(() => (stopped ? undefined : cleanAt(begun + everyMs)));
    });
  };
  return {
    start: async () => {
      const begun = parts.clock.now();
      await cleanUp(parts, keptMs);
      cleanAt(begun + everyMs);
    },
    stop: async () => {
      stopped = true;
      cancel();
      await working;
    },
  };
}

async function cleanUp({ sql, clock, log }: RetentionParts, keptMs: number): Promise<void> {
  const now = clock.now();
  await turnPartitions(sql, now, keptMs);
  const before = new Date(now - keptMs);
  // By the time they came in: what happened while this service was off is still to be delivered.
  const expired = await sql.query('DELETE FROM outstanding WHERE created_at < $1 AND due_at IS NOT NULL RETURNING 1', [
    before,
  ]);
  if (expired.length > 0) log.warn('Deliveries expired before they could be made', { count: expired.length });
  // Whole days go with their partition, up to a day late. Row by row goes what has no partition of its own, and
  // everything when less than two days are kept, where a day would be much.
  const suffix = keptMs < 2 * dayMs ? '' : '_other';
  await sql.query(`DELETE FROM event_log${suffix} WHERE logged_at < $1`, [before]);
  await sql.query(`DELETE FROM deliveries${suffix} WHERE settled_at < $1`, [before]);
}
