import type { SqlMigration } from '@messaging-gateway/service';

/** Scheduled messages of one chat go out in the order of their times. Those of before have no chat, and no order. */
export const orderOfSchedules: SqlMigration = {
  name: '20261101000000-order-of-schedules',
  sql: `
    alter table {schema}.schedules add column conversation_id uuid;
    create index schedules_open_in_chat on {schema}.schedules (conversation_id, due_at, schedule_id)
      where next_look_at is not null;`,
};
