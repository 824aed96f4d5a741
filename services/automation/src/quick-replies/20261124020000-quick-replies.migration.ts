import type { SqlMigration } from '@messaging-gateway/service';

/** Texts that clients offer to people who write. */
export const quickRepliesMigration: SqlMigration = {
  name: '20261124020000-quick-replies',
  sql: `
    create table {schema}.quick_replies (
      id uuid primary key,
      organization_id uuid not null,
      profile_id uuid,
      shortcut text,
      title text,
      message text,
      deleted boolean not null,
      created_at timestamptz(3) not null
    );
    create index quick_replies_by_shortcut on {schema}.quick_replies (organization_id, shortcut, id) where not deleted;
    create index quick_replies_by_profile on {schema}.quick_replies (profile_id) where not deleted;`,
};
