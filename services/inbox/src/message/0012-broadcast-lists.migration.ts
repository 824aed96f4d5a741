import type { SqlMigration } from '@messaging-gateway/service';

/** Messages that their author wrote to a broadcast list; null for all others. */
export const broadcastLists: SqlMigration = {
  name: '0012-broadcast-lists',
  sql: 'ALTER TABLE {schema}.messages ADD COLUMN broadcast boolean;',
};
