import type { SqlMigration } from '@messaging-gateway/service';

export const ageOfPasswordsMigration: SqlMigration = {
  name: '0021-age-of-passwords',
  sql: `
    -- Since when somebody has the password; null where that was before this column.
    ALTER TABLE {schema}.users ADD COLUMN password_since timestamptz(3);`,
};
