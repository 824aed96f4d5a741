import type { SqlMigration } from '@messaging-gateway/service';

/** Until when a human has taken over a chat; null: given back. A chat may be silenced before it has a conversation. */
export const handoversTable: SqlMigration = {
  name: '0011-handovers',
  sql: `
    CREATE TABLE {schema}.handovers (
      conversation_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      until timestamptz(3)
    );
    CREATE INDEX handovers_organization_id_index ON {schema}.handovers (organization_id);`,
};
