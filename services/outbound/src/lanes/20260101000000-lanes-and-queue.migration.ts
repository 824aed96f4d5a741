import type { SqlMigration } from '@messaging-gateway/service';

/** Months of `network_ids` beside the one for all else are made at run time (see `receipts/feature.ts`). */
export const lanesAndQueue: SqlMigration = {
  name: '20260101000000-lanes-and-queue',
  sql: `
    create table {schema}.lanes (
      profile_id uuid primary key,
      day date not null,
      reserved int not null,
      uncertain int not null,
      sent int not null,
      handed_over_at timestamptz
    ) with (fillfactor = 50);

    create table {schema}.policies (
      profile_id uuid primary key,
      organization_id uuid not null,
      message_delay_ms int not null,
      daily_message_limit int,
      closed boolean not null
    );

    create sequence {schema}.queue_place;
    create table {schema}.queue (
      message_id uuid primary key,
      profile_id uuid not null,
      conversation_id uuid not null,
      place bigint not null,
      mode text not null,
      accepted_at timestamptz not null,
      outcome_lost boolean not null default false,
      attempts smallint not null default 0,
      due_at timestamptz
    ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
    create index queue_by_lane on {schema}.queue (profile_id, place);

    create table {schema}.network_ids (
      profile_id uuid not null,
      network_message_id text not null,
      message_id uuid not null,
      accepted_at timestamptz not null,
      primary key (profile_id, network_message_id, accepted_at)
    ) partition by range (accepted_at);
    create table {schema}.network_ids_other partition of {schema}.network_ids default;

    create table {schema}.ownership (
      name text primary key,
      epoch bigint not null
    );`,
};
