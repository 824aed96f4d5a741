import type { SqlMigration } from '@messaging-gateway/service';

/** The last event that is no longer kept of an organization: a reader at an earlier one has missed events. */
export const removedFromTheLog: SqlMigration = {
  name: '0003-removed-from-the-log',
  sql: `
    CREATE TABLE {schema}.log_removed (
      organization_id uuid NOT NULL PRIMARY KEY,
      sequence bigint NOT NULL,
      event_id uuid NOT NULL
    );`,
};
