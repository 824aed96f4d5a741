import type { SqlMigration } from '@messaging-gateway/service';

/** When a queued message is not handed over any more, where its terms say so. */
export const expiryOfMessages: SqlMigration = {
  name: '20261123010000-expiry-of-messages',
  sql: 'alter table {schema}.queue add column expires_at timestamptz;',
};
