import type { SqlMigration } from '@messaging-gateway/service';

export const webhooksMigration: SqlMigration = {
  name: '0001-webhooks',
  sql: `
    CREATE TABLE {schema}.webhooks (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid,
      version int NOT NULL,
      events text[],
      profile_ids uuid[],
      enabled boolean,
      deleted boolean NOT NULL DEFAULT false
    );
    CREATE INDEX webhooks_organization_id_index ON {schema}.webhooks (organization_id);

    -- The last sequence given out in an organization's log. Its row lock makes the order of sequences the order of
    -- commits, so that a reader at a sequence has skipped nothing before it.
    CREATE TABLE {schema}.log_heads (
      organization_id uuid NOT NULL PRIMARY KEY,
      last bigint NOT NULL
    ) WITH (fillfactor = 50);

    -- Every public event once, with the body that webhooks get, byte for byte. Partitioned by the event's own time,
    -- which is the same however often it arrives, so that (id, occurred_at) tells a repeat.
    CREATE TABLE {schema}.event_log (
      organization_id uuid NOT NULL,
      sequence bigint NOT NULL,
      id uuid NOT NULL,
      occurred_at timestamptz(3) NOT NULL,
      profile_id uuid,
      kind text NOT NULL,
      body text NOT NULL,
      source_sequence text NOT NULL,
      logged_at timestamptz(3) NOT NULL,
      PRIMARY KEY (id, occurred_at)
    ) PARTITION BY RANGE (occurred_at);
    CREATE INDEX event_log_organization_id_sequence_index ON {schema}.event_log (organization_id, sequence);
    CREATE TABLE {schema}.event_log_other PARTITION OF {schema}.event_log DEFAULT;

    -- Deliveries that are not settled. due_at: waits until then; null: claimed by a dispatcher, which has it in hand.
    CREATE TABLE {schema}.outstanding (
      webhook_id uuid NOT NULL,
      event_id uuid NOT NULL,
      occurred_at timestamptz(3) NOT NULL,
      organization_id uuid NOT NULL,
      sequence bigint NOT NULL,
      kind text NOT NULL,
      profile_id uuid,
      attempts int NOT NULL DEFAULT 0,
      due_at timestamptz(3),
      claimed_by uuid,
      status_code int,
      error text,
      duration_ms int,
      attempted_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (webhook_id, event_id)
    ) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.5);
    CREATE INDEX outstanding_due_index ON {schema}.outstanding (webhook_id, due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX outstanding_head_index ON {schema}.outstanding (webhook_id, sequence) WHERE due_at IS NOT NULL;

    -- Deliveries that are settled, one for an event and a webhook.
    CREATE TABLE {schema}.deliveries (
      webhook_id uuid NOT NULL,
      event_id uuid NOT NULL,
      occurred_at timestamptz(3) NOT NULL,
      organization_id uuid NOT NULL,
      sequence bigint NOT NULL,
      kind text NOT NULL,
      profile_id uuid,
      status text NOT NULL,
      attempts int NOT NULL,
      status_code int,
      error text,
      duration_ms int,
      attempted_at timestamptz(3),
      settled_at timestamptz(3) NOT NULL,
      PRIMARY KEY (webhook_id, event_id, occurred_at)
    ) PARTITION BY RANGE (occurred_at);
    CREATE INDEX deliveries_webhook_id_sequence_index ON {schema}.deliveries (webhook_id, sequence);
    CREATE TABLE {schema}.deliveries_other PARTITION OF {schema}.deliveries DEFAULT;

    -- Receivers that fail. failing_since: nothing but failures since then. open: only the first in line is tried.
    CREATE TABLE {schema}.failing (
      webhook_id uuid NOT NULL PRIMARY KEY,
      failing_since timestamptz(3) NOT NULL,
      open boolean NOT NULL
    );

    -- Processes that deliver. What one has claimed is free again once it is no longer seen; times are the server's.
    CREATE TABLE {schema}.dispatchers (
      id uuid NOT NULL PRIMARY KEY,
      seen_at timestamptz NOT NULL
    ) WITH (fillfactor = 50);
  `,
};
