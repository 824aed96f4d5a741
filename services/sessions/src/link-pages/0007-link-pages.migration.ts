import type { SqlMigration } from '@messaging-gateway/service';

export const linkPagesMigration: SqlMigration = {
  name: '0007-link-pages',
  sql: `
    -- Pages on which whoever has their URL links a profile. Of the token in the URL only the hash is kept.
    CREATE TABLE {schema}.link_pages (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      user_id uuid NOT NULL,
      token_hash text NOT NULL UNIQUE,
      expires_at timestamptz NOT NULL,
      return_url text,
      language text
    );
    CREATE INDEX link_pages_profile_id_index ON {schema}.link_pages (profile_id);
    CREATE INDEX link_pages_expires_at_index ON {schema}.link_pages (expires_at);`,
};
