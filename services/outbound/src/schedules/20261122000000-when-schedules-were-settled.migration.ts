import type { SqlMigration } from '@messaging-gateway/service';

/**
 * The time at which a schedule was settled, after which it is deleted some day. That of earlier ones nobody knows:
 * their due time counts.
 */
export const whenSchedulesWereSettled: SqlMigration = {
  name: '20261122000000-when-schedules-were-settled',
  sql: `
    alter table {schema}.schedules add column settled_at timestamptz;
    create index schedules_settled on {schema}.schedules (coalesce(settled_at, due_at))
      where next_look_at is null and status in ('sent', 'failed', 'cancelled');
    create index batches_completed on {schema}.batches (completed_at) where completed_at is not null;`,
};
