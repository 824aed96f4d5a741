import type { SqlMigration } from '@messaging-gateway/service';

/**
 * `chatwoot_bridges`: what organizations have set, sealed, and how it goes. `chatwoot_lanes`: a row for each of our conversations with
 * what stands for it there; `told` counts what was put into its line. `chatwoot_outbox`: what waits to be posted, in its order.
 * `chatwoot_answers`: what agents wrote and waits to be sent; kept for some days, so that a repeat is known. `chatwoot_contacts`: persons, by phone or LID.
 * `chatwoot_messages`: which message is which.
 */
export const chatwootMigration: SqlMigration = {
  name: '20261124050000-chatwoot',
  sql: `
    create table {schema}.chatwoot_bridges (
      organization_id uuid primary key,
      version int not null,
      sealed text not null,
      enabled boolean not null,
      last_success_at timestamptz(3),
      last_error_at timestamptz(3),
      last_error text,
      changed_at timestamptz not null
    );
    create index chatwoot_bridges_by_change on {schema}.chatwoot_bridges (changed_at);

    create table {schema}.chatwoot_lanes (
      conversation_id uuid primary key,
      organization_id uuid not null,
      profile_id uuid not null,
      chat text not null,
      contact_id bigint,
      remote_id bigint,
      making boolean not null default false,
      told bigint not null default 0,
      attempts int not null default 0,
      next_look_at timestamptz
    ) with (fillfactor = 50);
    create index chatwoot_lanes_due on {schema}.chatwoot_lanes (next_look_at) where next_look_at is not null;
    create index chatwoot_lanes_by_remote on {schema}.chatwoot_lanes (organization_id, remote_id);

    create table {schema}.chatwoot_outbox (
      id bigint generated always as identity primary key,
      event_id uuid not null unique,
      organization_id uuid not null,
      conversation_id uuid not null,
      message_id uuid,
      kind text not null,
      sealed text not null,
      tries int not null default 0,
      created_at timestamptz(3) not null
    );
    create index chatwoot_outbox_by_conversation on {schema}.chatwoot_outbox (conversation_id, id);
    create index chatwoot_outbox_by_organization on {schema}.chatwoot_outbox (organization_id);

    create table {schema}.chatwoot_answers (
      organization_id uuid not null,
      remote_message_id bigint not null,
      conversation_id uuid not null,
      sealed text,
      created_at timestamptz(3) not null,
      primary key (organization_id, remote_message_id)
    );
    create index chatwoot_answers_waiting on {schema}.chatwoot_answers (conversation_id, remote_message_id) where sealed is not null;

    create table {schema}.chatwoot_contacts (
      organization_id uuid not null,
      person text not null,
      contact_id bigint not null,
      primary key (organization_id, person)
    );

    create table {schema}.chatwoot_messages (
      organization_id uuid not null,
      message_id uuid not null,
      remote_message_id bigint not null,
      remote_id bigint not null,
      by_agent boolean not null,
      created_at timestamptz(3) not null,
      primary key (organization_id, message_id)
    );
    create index chatwoot_messages_by_remote on {schema}.chatwoot_messages (organization_id, remote_message_id);
    create index chatwoot_messages_by_time on {schema}.chatwoot_messages (created_at);`,
};
