import type { SqlMigration } from '@messaging-gateway/service';

/**
 * `answerers`: all that answers by itself, a row each; those without a profile answer for all profiles of the organization.
 * `definition` is JSON as it was written, secrets in it sealed. A deleted one keeps an empty row.
 */
export const answerersMigration: SqlMigration = {
  name: '20261124000000-answerers',
  sql: `
    create table {schema}.answerers (
      id uuid primary key,
      organization_id uuid not null,
      profile_id uuid,
      kind text not null,
      name text,
      enabled boolean not null,
      priority int not null,
      definition text,
      deleted boolean not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      changed_at timestamptz not null
    );
    create index answerers_by_owner on {schema}.answerers (organization_id, kind, created_at, id) where not deleted;
    create index answerers_by_profile on {schema}.answerers (profile_id) where not deleted;
    create index answerers_by_change on {schema}.answerers (changed_at);`,
};
