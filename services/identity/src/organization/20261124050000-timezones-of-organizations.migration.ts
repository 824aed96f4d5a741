import type { SqlMigration } from '@messaging-gateway/service';

/** The time zone of an organization, where somebody has set one. */
export const timezonesOfOrganizations: SqlMigration = {
  name: '20261124050000-timezones-of-organizations',
  sql: `
    CREATE TABLE {schema}.organization_timezones (
      organization_id uuid NOT NULL PRIMARY KEY,
      timezone text NOT NULL
    );`,
};
