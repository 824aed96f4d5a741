import { leasesMigration } from '@messaging-gateway/leases';
import type { SqlMigration } from '@messaging-gateway/service';

/** Each lane has an owner of its own; `departures` names those who gave theirs up in order. */
export const ownersOfLanes: SqlMigration = {
  name: '20260201000000-owners-of-lanes',
  sql: `
    drop table {schema}.ownership;
    ${leasesMigration.sql}
    create table {schema}.departures (profile_id uuid primary key, epoch bigint not null);`,
};
