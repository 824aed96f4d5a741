import type { SqlMigration } from '@messaging-gateway/service';

export const erasuresMigration: SqlMigration = {
  name: '0020-erasures',
  sql: `
    -- Whose data are to be erased; \`due_at\` is null when that is done.
    CREATE TABLE {schema}.user_erasures (
      user_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      whole_organization boolean NOT NULL,
      times int NOT NULL,
      due_at timestamptz(3)
    );
    CREATE INDEX user_erasures_due_at_index ON {schema}.user_erasures (due_at) WHERE due_at IS NOT NULL;`,
};
