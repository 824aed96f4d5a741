import type { SqlMigration } from '@messaging-gateway/service';

/** State of the accounts on the network: restriction, quota of new chats, refusals of one day. */
export const profileHealthTable: SqlMigration = {
  name: '0010-profile-health',
  sql: `
    CREATE TABLE {schema}.profile_health (
      profile_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      restriction jsonb,
      restricted_until timestamptz,
      new_chats jsonb,
      refused_day date,
      refused int NOT NULL DEFAULT 0,
      checked_at timestamptz
    );
    CREATE INDEX profile_health_organization_id_index ON {schema}.profile_health (organization_id);
    CREATE INDEX profile_health_restricted_until_index ON {schema}.profile_health (restricted_until) WHERE restricted_until IS NOT NULL;`,
};
