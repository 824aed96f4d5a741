import { partitioned, type Job, type RotatedTable } from '@messaging-gateway/service';
import type { AuditTools } from './tools.ts';
import { firstEntryAt } from './entry-id.ts';
import { forgetOrigins } from './personal-data.ts';

const dayMs = 86_400_000;

const entriesByMonth: RotatedTable = {
  table: 'audit_entries',
  column: 'id',
  rest: 'audit_entries_rest',
  by: 'month',
  ahead: 3,
  boundAt: firstEntryAt,
};

/** Keeps partitions ready, and removes entries once they are older than AUDIT_RETENTION_DAYS: every hour. */
export function auditRetention(tools: AuditTools): Job {
  const { sql, clock, settings } = tools;
  const keptMs = settings.auditRetentionDays * dayMs;
  const afterwards = async (): Promise<void> => {
    const oldest = clock.now() - keptMs;
    await sql.query('DELETE FROM audit_entries WHERE id < $1', [firstEntryAt(oldest)]);
    await forgetOrigins(sql);
    await sql.query('DELETE FROM audit_erased WHERE at < $1', [new Date(oldest)]);
  };
  return partitioned(tools, 'retention of the audit', [{ ...entriesByMonth, keptMs }], { afterwards });
}
