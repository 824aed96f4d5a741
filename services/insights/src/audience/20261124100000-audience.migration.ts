import type { SqlMigration } from '@messaging-gateway/service';

/** Members of organizations as they are known here, and how often it was told that they have changed. */
export const audienceMigration: SqlMigration = {
  name: '20261124100000-audience',
  sql: `
    CREATE TABLE {schema}.audiences (
      organization_id uuid NOT NULL PRIMARY KEY,
      changes bigint NOT NULL DEFAULT 1,
      known bigint NOT NULL DEFAULT 0
    );
    CREATE TABLE {schema}.audience_members (
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      permissions text[] NOT NULL,
      preferences jsonb NOT NULL,
      preferences_version int NOT NULL,
      PRIMARY KEY (organization_id, user_id)
    );
  `,
};
