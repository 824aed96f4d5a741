import type { SqlMigration } from '@messaging-gateway/service';

/** Entries by the id of their request, a UUIDv7: partitions by month, and one for what belongs to none that was made. */
export const auditMigration: SqlMigration = {
  name: '0001-audit',
  sql: `
    CREATE TABLE {schema}.audit_entries (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      at timestamptz(3) NOT NULL,
      action text NOT NULL,
      actor_type text NOT NULL,
      actor_id text NOT NULL,
      user_id uuid,
      resource_type text,
      resource_id text,
      profile_id uuid,
      more jsonb NOT NULL DEFAULT '{}',
      ip text,
      user_agent text,
      request_id text,
      PRIMARY KEY (organization_id, id)
    ) PARTITION BY RANGE (id);
    CREATE TABLE {schema}.audit_entries_rest PARTITION OF {schema}.audit_entries DEFAULT;
    CREATE INDEX audit_entries_action ON {schema}.audit_entries (organization_id, action, id);
    CREATE INDEX audit_entries_actor ON {schema}.audit_entries (organization_id, actor_id, id);
    CREATE INDEX audit_entries_resource ON {schema}.audit_entries (organization_id, resource_id, id);
    CREATE INDEX audit_entries_user ON {schema}.audit_entries (user_id, id);
    -- Who was erased: what is told of them later is kept without where it came from.
    CREATE TABLE {schema}.audit_erased (
      user_id uuid PRIMARY KEY,
      at timestamptz NOT NULL
    );
  `,
};
