import type { SqlMigration } from '@messaging-gateway/service';

export const organizationsMembersRoles: SqlMigration = {
  name: '0010-organizations-members-roles',
  sql: `
    CREATE TABLE {schema}.organizations (
      id uuid NOT NULL PRIMARY KEY,
      name text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    );

    CREATE TABLE {schema}.members (
      user_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      role_id uuid NOT NULL,
      joined_at timestamptz(3) NOT NULL
    );
    CREATE INDEX members_organization_id_joined_at_user_id_index
        ON {schema}.members (organization_id, joined_at, user_id);
    -- Until now everybody owned the organization that came with the registration.
    INSERT INTO {schema}.members (user_id, organization_id, role_id, joined_at)
    SELECT id, organization_id, '5f6b1d0a-0000-5000-8000-000000000001', created_at FROM {schema}.users;
    ALTER TABLE {schema}.users DROP COLUMN role;

    CREATE TABLE {schema}.roles (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      name text NOT NULL,
      description text,
      permissions text[] NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    );
    CREATE INDEX roles_organization_id_created_at_id_index ON {schema}.roles (organization_id, created_at, id);

    CREATE TABLE {schema}.workspaces (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      name text NOT NULL,
      description text,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    );
    CREATE INDEX workspaces_organization_id_created_at_id_index
        ON {schema}.workspaces (organization_id, created_at, id);`,
};
