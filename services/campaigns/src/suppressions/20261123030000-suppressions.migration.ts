import type { SqlMigration } from '@messaging-gateway/service';

export const suppressionsMigration: SqlMigration = {
  name: '20261123030000-suppressions',
  sql: `
    CREATE TABLE {schema}.suppressions (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      phone_digest text COLLATE "C",
      lid_digest text COLLATE "C",
      phone text,
      reason text,
      lifted boolean NOT NULL,
      created_at timestamptz(3) NOT NULL
    ) WITH (fillfactor = 85);
    CREATE INDEX suppressions_in_order ON {schema}.suppressions (organization_id, created_at, id) WHERE NOT lifted;
    CREATE INDEX suppressions_of_phones ON {schema}.suppressions (organization_id, phone_digest) WHERE NOT lifted;
    CREATE INDEX suppressions_of_lids ON {schema}.suppressions (organization_id, lid_digest) WHERE NOT lifted;`,
};
