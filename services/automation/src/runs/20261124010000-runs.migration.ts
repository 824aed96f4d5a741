import type { SqlMigration } from '@messaging-gateway/service';

/**
 * `runs`: a row each. `run_messages`: whose run a message is. `answerer_stats`: how often each answered. `cooldowns`: until when an
 * answerer keeps still in a chat. `chat_pace`: the last messages that automation sent to a chat, and when somebody of ours wrote.
 */
export const runsMigration: SqlMigration = {
  name: '20261124010000-runs',
  sql: `
    create table {schema}.runs (
      run_id uuid primary key,
      organization_id uuid not null,
      profile_id uuid not null,
      answerer_id uuid not null,
      kind text not null,
      conversation_id uuid not null,
      message_id uuid,
      status text not null,
      reason text,
      started_at timestamptz(3) not null,
      ended_at timestamptz(3),
      next_look_at timestamptz
    ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
    create index runs_due on {schema}.runs (next_look_at) where next_look_at is not null;
    create index runs_by_answerer on {schema}.runs (answerer_id, started_at, run_id);
    create index runs_by_organization on {schema}.runs (organization_id);
    create index runs_by_conversation on {schema}.runs (conversation_id, started_at);
    create index runs_by_end on {schema}.runs (ended_at) where ended_at is not null;

    create table {schema}.run_messages (
      message_id uuid primary key,
      run_id uuid not null,
      organization_id uuid not null
    );
    create index run_messages_by_run on {schema}.run_messages (run_id);
    create index run_messages_by_organization on {schema}.run_messages (organization_id);

    create table {schema}.answerer_stats (
      answerer_id uuid primary key,
      organization_id uuid not null,
      triggered bigint not null default 0,
      succeeded bigint not null default 0,
      failed bigint not null default 0,
      last_triggered_at timestamptz(3)
    ) with (fillfactor = 50);
    create index answerer_stats_by_organization on {schema}.answerer_stats (organization_id);

    create table {schema}.cooldowns (
      answerer_id uuid not null,
      conversation_id uuid not null,
      organization_id uuid not null,
      run_id uuid not null,
      until timestamptz(3) not null,
      primary key (answerer_id, conversation_id)
    );
    create index cooldowns_by_organization on {schema}.cooldowns (organization_id);
    create index cooldowns_by_end on {schema}.cooldowns (until);

    create table {schema}.chat_pace (
      conversation_id uuid primary key,
      organization_id uuid not null,
      profile_id uuid not null,
      times timestamptz(3)[] not null default '{}',
      digests text[] not null default '{}',
      human_at timestamptz(3),
      muted_until timestamptz(3),
      used_at timestamptz(3) not null
    ) with (fillfactor = 50);
    create index chat_pace_by_organization on {schema}.chat_pace (organization_id);
    create index chat_pace_by_use on {schema}.chat_pace (used_at);`,
};
