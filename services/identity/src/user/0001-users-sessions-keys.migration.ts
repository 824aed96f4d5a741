import type { SqlMigration } from '@messaging-gateway/service';

export const usersSessionsKeys: SqlMigration = {
  name: '0001-users-sessions-keys',
  sql: `
    CREATE TABLE {schema}.users (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      role text NOT NULL,
      email text NOT NULL,
      name text NOT NULL,
      password_hash text NOT NULL,
      two_factor_enabled boolean NOT NULL DEFAULT false,
      backup_codes_remaining int NOT NULL DEFAULT 0,
      created_at timestamptz(3) NOT NULL
    );
    CREATE INDEX users_organization_id_index ON {schema}.users (organization_id);

    -- Which user an address belongs to; a keyed hash, so that the table holds no address.
    CREATE TABLE {schema}.addresses (
      hash text NOT NULL PRIMARY KEY,
      user_id uuid NOT NULL
    );
    CREATE INDEX addresses_user_id_index ON {schema}.addresses (user_id);

    -- One row: the key of those hashes. It never changes, or nobody could log in any more.
    CREATE TABLE {schema}.address_key (
      id boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (id),
      key text NOT NULL
    );
    INSERT INTO {schema}.address_key (key) VALUES (gen_random_uuid()::text || gen_random_uuid()::text);

    CREATE TABLE {schema}.user_sessions (
      id uuid NOT NULL PRIMARY KEY,
      user_id uuid NOT NULL,
      organization_id uuid NOT NULL,
      client jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      ended_at timestamptz(3)
    );
    CREATE INDEX user_sessions_user_id_ended_at_index ON {schema}.user_sessions (user_id, ended_at);

    CREATE TABLE {schema}.api_keys (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      maker_id uuid NOT NULL,
      parent_id uuid,
      name text NOT NULL,
      prefix text NOT NULL,
      hash text NOT NULL,
      permissions text[],
      profile_ids uuid[],
      allowed_cidrs text[],
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3),
      revoked_at timestamptz(3)
    );
    CREATE UNIQUE INDEX api_keys_hash_unique ON {schema}.api_keys (hash);
    CREATE INDEX api_keys_organization_id_created_at_id_index ON {schema}.api_keys (organization_id, created_at, id);
    CREATE INDEX api_keys_parent_id_index ON {schema}.api_keys (parent_id);

    CREATE TABLE {schema}.credential_uses (
      id uuid NOT NULL PRIMARY KEY,
      used_at timestamptz(3) NOT NULL
    );`,
};
