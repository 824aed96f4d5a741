import type { SqlMigration } from '@messaging-gateway/service';

/** For how long automation is silent after the owner has written, where somebody has set that. */
export const handoverMinutesTable: SqlMigration = {
  name: '0009-handover-minutes',
  sql: `
    CREATE TABLE {schema}.handover_minutes (
      profile_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      minutes int NOT NULL
    );
    CREATE INDEX handover_minutes_organization_id_index ON {schema}.handover_minutes (organization_id);`,
};
