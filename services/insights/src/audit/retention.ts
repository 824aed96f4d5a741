import { every, type Job } from '@messaging-gateway/service';
import type { InsightsTools } from '../tools.ts';
import { firstEntryAt } from './entry-id.ts';
import { turnPartitions } from './partitions.ts';
import { forgetOrigins } from './personal-data.ts';

const dayMs = 86_400_000;

/** Keeps partitions ready, and removes entries once they are older than AUDIT_RETENTION_DAYS: every hour. */
export function auditRetention({ sql, patiently, clock, log, settings }: InsightsTools): Job {
  const keptMs = settings.auditRetentionDays * dayMs;
  const cleanUp = async (signal: AbortSignal): Promise<void> => {
    const oldest = clock.now() - keptMs;
    await turnPartitions({ sql, patiently, log, signal }, clock.now(), oldest);
    await sql.query('DELETE FROM audit_entries WHERE id < $1', [firstEntryAt(oldest)]);
    await forgetOrigins(sql);
    await sql.query('DELETE FROM audit_erased WHERE at < $1', [new Date(oldest)]);
  };
  return every('1h', 'retention of the audit', cleanUp, { first: 'awaited' });
}
