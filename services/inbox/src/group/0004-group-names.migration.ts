import type { SqlMigration } from '@messaging-gateway/service';

/** Names of groups. */
export const groupNames: SqlMigration = {
  name: '0004-group-names',
  sql: `
    CREATE TABLE {schema}.group_names (
      conversation_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      name text NOT NULL
    );
    CREATE INDEX group_names_organization_index ON {schema}.group_names (organization_id);`,
};
