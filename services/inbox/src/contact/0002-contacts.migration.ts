import type { SqlMigration } from '@messaging-gateway/service';

export const contactsMigration: SqlMigration = {
  name: '0002-contacts',
  sql: `
    CREATE TABLE {schema}.contacts (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid,
      phone text,
      lid text,
      name text,
      push_name text,
      tags text[] NOT NULL,
      metadata jsonb NOT NULL,
      blocked boolean NOT NULL,
      deleted boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    ) WITH (fillfactor = 85);
    CREATE INDEX contacts_organization_id_created_at_id_index ON {schema}.contacts (organization_id, created_at, id)
     WHERE NOT deleted;
    CREATE INDEX contacts_organization_id_phone_index ON {schema}.contacts (organization_id, phone);
    CREATE INDEX contacts_organization_id_lid_index ON {schema}.contacts (organization_id, lid) WHERE lid IS NOT NULL;
    CREATE INDEX conversations_organization_id_jid_index ON {schema}.conversations (organization_id, jid);`,
};
