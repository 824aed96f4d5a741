import type { SqlMigration } from '@messaging-gateway/service';

/**
 * `broadcasts`: a row each, with the counts of its recipients. `audience`: the recipients of a broadcast as they were when
 * it started; `audiences_to_go`: those that no broadcast has, or none will have. They are no views: what becomes of 100,000 recipients is no 100,000 events.
 */
export const broadcastTables: SqlMigration = {
  name: '20261123020000-broadcasts',
  sql: `
    create table {schema}.broadcasts (
      broadcast_id uuid primary key,
      organization_id uuid not null,
      profile_id uuid not null,
      name text not null,
      status text not null,
      paused_reason text,
      failed_reason text,
      resumes_at timestamptz,
      scheduled_at timestamptz,
      started_at timestamptz,
      completed_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      audience_id uuid,
      has_variants boolean not null default false,
      zones jsonb not null default '[]',
      total int not null default 0,
      sent int not null default 0,
      failed int not null default 0,
      skipped int not null default 0,
      delivered int not null default 0,
      read int not null default 0,
      open int not null default 0,
      held_by uuid,
      pause_ms int not null default 0,
      next_at timestamptz,
      waiting text,
      waiting_until timestamptz,
      waiting_since timestamptz,
      next_look_at timestamptz
    ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
    create index broadcasts_by_time on {schema}.broadcasts (organization_id, created_at, broadcast_id);
    create index broadcasts_due on {schema}.broadcasts (next_look_at) where next_look_at is not null;
    create index broadcasts_by_profile on {schema}.broadcasts (profile_id);
    create index broadcasts_by_audience on {schema}.broadcasts (audience_id);

    create table {schema}.audience (
      audience_id uuid not null,
      place int not null,
      broadcast_id uuid not null,
      organization_id uuid not null,
      profile_id uuid not null,
      contact_id uuid,
      jid text,
      lid text,
      phone text,
      name text,
      fields jsonb not null default '{}',
      zone text not null default '',
      variant smallint,
      message_id uuid not null,
      round smallint not null default 0,
      status text not null,
      attempts smallint not null default 0,
      receipt smallint not null default 0,
      replied boolean not null default false,
      error jsonb,
      released_at timestamptz,
      settled_at timestamptz,
      primary key (audience_id, place)
    ) with (fillfactor = 80);
    create index audience_by_message on {schema}.audience (message_id);
    create index audience_by_status on {schema}.audience (audience_id, status, place);
    create index audience_pending on {schema}.audience (audience_id, zone, place) where status = 'pending';
    create index audience_by_contact on {schema}.audience (contact_id);
    create index audience_by_person on {schema}.audience (profile_id, jid) where variant is not null;
    create index audience_by_lid on {schema}.audience (profile_id, lid) where variant is not null and lid is not null;
    create index audience_by_organization on {schema}.audience (organization_id);

    create table {schema}.variant_counts (
      audience_id uuid not null,
      variant smallint not null,
      organization_id uuid not null,
      sent int not null default 0,
      delivered int not null default 0,
      read int not null default 0,
      replied int not null default 0,
      primary key (audience_id, variant)
    ) with (fillfactor = 50);

    create table {schema}.audiences_to_go (
      audience_id uuid primary key,
      organization_id uuid not null,
      since timestamptz not null
    );`,
};
