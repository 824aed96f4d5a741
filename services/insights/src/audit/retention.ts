import type { Running } from '@messaging-gateway/service';
import type { InsightsTools } from '../tools.ts';
import { firstEntryAt } from './entry-id.ts';
import { turnPartitions } from './partitions.ts';
import { forgetOrigins } from './personal-data.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Keeps partitions ready, and removes entries once they are older than AUDIT_RETENTION_DAYS: every hour. */
export function auditRetention({ sql, clock, log, settings }: InsightsTools): Running {
  const keptMs = settings.auditRetentionDays * dayMs;
  let cancel = (): void => undefined;
  let working: Promise<void> = Promise.resolve();
  let isStopped = false;
  const cleanUp = async (): Promise<void> => {
    const oldest = clock.now() - keptMs;
    await turnPartitions(sql, clock.now(), oldest);
    await sql.query('DELETE FROM audit_entries WHERE id < $1', [firstEntryAt(oldest)]);
    await forgetOrigins(sql);
    await sql.query('DELETE FROM audit_erased WHERE at < $1', [new Date(oldest)]);
  };
  const cleanUpAt = (time: number): void => {
    cancel = clock.at(time, () => {
      const begun = clock.now();
      working = cleanUp()
        .catch((error: unknown) => log.warn('Old audit entries not removed yet', { reason: String(error) }))
        .then(() => (isStopped ? undefined : cleanUpAt(begun + hourMs)));
    });
  };
  return {
    start: async () => {
      isStopped = false;
      const begun = clock.now();
      await cleanUp();
      cleanUpAt(begun + hourMs);
    },
    stop: async () => {
      isStopped = true;
      cancel();
      await working;
    },
  };
}
