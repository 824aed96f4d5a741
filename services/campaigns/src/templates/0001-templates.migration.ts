import type { SqlMigration } from '@messaging-gateway/service';

/**
 * `content` is JSON as it was written, in the order of its fields. `released_at`: since when no template holds the media.
 * `template_uses`: which messages were counted.
 */
export const templatesMigration: SqlMigration = {
  name: '0001-templates',
  sql: `
    CREATE TABLE {schema}.templates (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid,
      name text,
      category text,
      message_type text,
      content text,
      deleted boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    );
    CREATE INDEX templates_organization_id_created_at_id_index ON {schema}.templates (organization_id, created_at, id)
     WHERE NOT deleted;
    CREATE INDEX templates_profile_id_index ON {schema}.templates (profile_id) WHERE NOT deleted;
    CREATE TABLE {schema}.template_names (
      organization_id uuid NOT NULL,
      name text NOT NULL,
      template_id uuid NOT NULL,
      PRIMARY KEY (organization_id, name)
    );
    CREATE TABLE {schema}.template_usage (
      template_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      uses bigint NOT NULL
    ) WITH (fillfactor = 50);
    CREATE INDEX template_usage_organization_id_index ON {schema}.template_usage (organization_id);
    CREATE TABLE {schema}.template_uses (
      message_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      at timestamptz NOT NULL
    );
    CREATE INDEX template_uses_at_index ON {schema}.template_uses (at);
    CREATE INDEX template_uses_organization_id_index ON {schema}.template_uses (organization_id);
    CREATE TABLE {schema}.template_media (
      key text NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      template_id uuid NOT NULL,
      released_at timestamptz
    );
    CREATE INDEX template_media_template_id_index ON {schema}.template_media (template_id);
    CREATE INDEX template_media_organization_id_index ON {schema}.template_media (organization_id);
    CREATE INDEX template_media_released_at_index ON {schema}.template_media (released_at) WHERE released_at IS NOT NULL;`,
};
