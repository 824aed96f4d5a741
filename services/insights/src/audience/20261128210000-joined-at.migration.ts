import type { SqlMigration } from '@messaging-gateway/service';

/** When each member joined. Null: not known, as members were described by the version before. */
export const joinedAtMigration: SqlMigration = {
  name: '20261128210000-joined-at',
  sql: 'ALTER TABLE {schema}.audience_members ADD COLUMN joined_at timestamptz(3)',
};
