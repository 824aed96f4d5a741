import type { SqlMigration } from '@messaging-gateway/service';

export const workspaces: SqlMigration = {
  name: '0004-workspaces',
  sql: `
    -- Workspaces that an account was made in, or that were closed before they were deleted.
    CREATE TABLE {schema}.workspaces (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      closed boolean NOT NULL DEFAULT false
    );
    CREATE INDEX accounts_workspace_id_index ON {schema}.accounts (workspace_id);`,
};
