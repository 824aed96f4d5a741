import type { SqlMigration } from '@messaging-gateway/service';

/** Limits of profiles for strangers and number checks, where somebody has set them, and what they are counted by. */
export const sendingLimitsTables: SqlMigration = {
  name: '0011-sending-limits',
  sql: `
    CREATE TABLE {schema}.sending_limits (
      profile_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      limits jsonb,
      linked_at timestamptz
    );
    CREATE INDEX sending_limits_organization_id_index ON {schema}.sending_limits (organization_id);
    CREATE TABLE {schema}.number_checks (
      profile_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      day date NOT NULL,
      checks int NOT NULL
    );
    CREATE INDEX number_checks_organization_id_index ON {schema}.number_checks (organization_id);`,
};
