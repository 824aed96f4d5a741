import type { SqlMigration } from '@messaging-gateway/service';

export const accountsProfilesLeases: SqlMigration = {
  name: '0001-accounts-profiles-leases',
  sql: `
    create table {schema}.accounts (
      id uuid primary key,
      organization_id uuid not null,
      workspace_id uuid not null,
      name text not null,
      description text,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    );
    create index accounts_of_organization on {schema}.accounts (organization_id, created_at, id);

    create table {schema}.profiles (
      id uuid primary key,
      organization_id uuid not null,
      account_id uuid not null,
      workspace_id uuid not null,
      name text not null,
      engine text,
      status text not null,
      status_reason text,
      is_wanted boolean not null,
      phone_number text,
      push_name text,
      since timestamptz(3) not null,
      last_connected_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    );
    create index profiles_of_organization on {schema}.profiles (organization_id, created_at, id);
    create index profiles_of_account on {schema}.profiles (account_id);
    create index profiles_wanted on {schema}.profiles (id) where is_wanted;

    create table {schema}.replicas (id uuid primary key, heartbeat_at timestamptz(3) not null);
    create table {schema}.leases (
      profile_id uuid primary key,
      organization_id uuid not null,
      replica_id uuid,
      epoch bigint not null,
      claimed_at timestamptz(3) not null
    );
  `,
};
