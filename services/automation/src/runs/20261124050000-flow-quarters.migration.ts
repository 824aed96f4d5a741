import type { SqlMigration } from '@messaging-gateway/service';

/** How often flows matched, by quarters of an hour: kept when the runs are forgotten. */
export const flowQuarters: SqlMigration = {
  name: '20261124050000-flow-quarters',
  sql: `
    create table {schema}.flow_quarters (
      organization_id uuid not null,
      quarter timestamptz not null,
      answerer_id uuid not null,
      profile_id uuid not null,
      triggered int not null,
      succeeded int not null,
      failed int not null,
      primary key (organization_id, quarter, answerer_id)
    ) with (fillfactor = 70);`,
};
