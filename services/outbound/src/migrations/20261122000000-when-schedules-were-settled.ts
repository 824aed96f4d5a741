import type { SqlMigration } from '@messaging-gateway/service';

/** What is settled goes after some time. Of what was settled before nobody knows when: at the latest when it was due, or sent. */
export const whenSchedulesWereSettled: SqlMigration = {
  name: '20261122000000-when-schedules-were-settled',
  sql: `
    alter table {schema}.schedules add column settled_at timestamptz;
    update {schema}.schedules set settled_at = coalesce(sent_at, due_at) where status in ('sent', 'failed', 'cancelled');
    create index schedules_settled on {schema}.schedules (settled_at) where settled_at is not null;
    create index batches_completed on {schema}.batches (completed_at) where completed_at is not null;`,
};
