import type { SqlMigration } from '@messaging-gateway/service';

/** Digests of numbers that the network returned in another form: both are the number of one person. */
export const numberFormsMigration: SqlMigration = {
  name: '20261129010000-number-forms',
  sql: `
    CREATE TABLE {schema}.number_forms (
      organization_id uuid NOT NULL,
      requested_digest text COLLATE "C" NOT NULL,
      returned_digest text COLLATE "C" NOT NULL,
      PRIMARY KEY (organization_id, requested_digest)
    );
    CREATE INDEX number_forms_by_returned ON {schema}.number_forms (organization_id, returned_digest);`,
};
