import type { SqlMigration } from '@messaging-gateway/service';

/** `next_look_at`: when somebody has to do something for it again; null when nobody has. */
export const schedulesAndBatches: SqlMigration = {
  name: '20260302000000-schedules-and-batches',
  sql: `
    create table {schema}.schedules (
      schedule_id uuid primary key,
      profile_id uuid not null,
      organization_id uuid not null,
      due_at timestamptz not null,
      next_look_at timestamptz,
      status text not null,
      late boolean not null default false,
      sent_at timestamptz,
      error jsonb,
      waiting_since timestamptz
    ) with (fillfactor = 80);
    create index schedules_of_profile on {schema}.schedules (profile_id, due_at, schedule_id);
    create index schedules_open on {schema}.schedules (profile_id) where next_look_at is not null;
    create index schedules_to_look_at on {schema}.schedules (next_look_at) where next_look_at is not null;

    create table {schema}.batches (
      batch_id uuid primary key,
      profile_id uuid not null,
      organization_id uuid not null,
      created_at timestamptz not null,
      next_look_at timestamptz,
      status text not null,
      reason text,
      completed_at timestamptz,
      waiting_since timestamptz
    ) with (fillfactor = 80);
    create index batches_newest on {schema}.batches (organization_id, created_at desc, batch_id desc);
    create index batches_open on {schema}.batches (profile_id) where next_look_at is not null;
    create index batches_to_look_at on {schema}.batches (next_look_at) where next_look_at is not null;
    create table {schema}.batch_items (
      batch_id uuid not null,
      index smallint not null,
      message_id uuid not null unique,
      status text not null,
      settled_at timestamptz,
      error jsonb,
      primary key (batch_id, index)
    ) with (fillfactor = 80);`,
};
