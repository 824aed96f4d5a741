import type { SqlMigration } from '@messaging-gateway/service';

export const credentialGeneration: SqlMigration = {
  name: '0002-credential-generation',
  sql: `
    -- One row: which generation of cached credentials gateways may go by.
    CREATE TABLE {schema}.credential_generation (
      id boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (id),
      generation uuid NOT NULL
    );
    INSERT INTO {schema}.credential_generation (generation) VALUES (gen_random_uuid());
  `,
};
