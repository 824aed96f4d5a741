import { leasesMigration } from '@messaging-gateway/leases';
import type { SqlMigration } from '@messaging-gateway/service';

/** Leases become those of the library; epochs go on where they were, since session data remembers them. */
export const leasesOfTheLibrary: SqlMigration = {
  name: '0002-leases-of-the-library',
  sql: `
    drop table {schema}.replicas;
    alter table {schema}.leases rename to leases_before;
    alter index {schema}.leases_pkey rename to leases_before_pkey;
    ${leasesMigration.sql}
    insert into {schema}.leases (key, organization_id, replica_id, epoch, claimed_at)
      select profile_id::text, organization_id, null, epoch, claimed_at from {schema}.leases_before;
    drop table {schema}.leases_before;
  `,
};

/**
 * Session data of installations with brokers. Values are ciphertexts: not worth compressing. Ratchets are overwritten in
 * place, so pages keep room for it. Restored to an older state they would be behind the network: they are in no backup.
 */
export const sessionData: SqlMigration = {
  name: '0003-session-data',
  sql: `
    create table {schema}.session_data (
      profile_id uuid not null,
      room smallint not null,
      id bytea not null,
      value bytea not null,
      primary key (profile_id, room, id)
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
    alter table {schema}.session_data alter column value set storage external;
    comment on table {schema}.session_data is 'rows are not backed up';
    create table {schema}.session_secrets (name text primary key, sealed bytea not null);
  `,
};
