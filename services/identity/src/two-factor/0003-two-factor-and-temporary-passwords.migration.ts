import type { SqlMigration } from '@messaging-gateway/service';

export const twoFactorAndTemporaryPasswords: SqlMigration = {
  name: '0003-two-factor-and-temporary-passwords',
  sql: `
    ALTER TABLE {schema}.users ADD COLUMN must_change_password boolean NOT NULL DEFAULT false;
    ALTER TABLE {schema}.users DROP COLUMN two_factor_enabled, DROP COLUMN backup_codes_remaining;

    -- Whether a user logs in with a second factor. Its secret and the codes are in the journal only, encrypted.
    CREATE TABLE {schema}.two_factors (
      user_id uuid NOT NULL PRIMARY KEY,
      enabled boolean NOT NULL,
      backup_codes_remaining int NOT NULL
    );`,
};
