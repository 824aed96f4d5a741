import type { SqlMigration } from '@messaging-gateway/service';

/**
 * How many messages of a conversation have not failed: one of which all have is not listed (`deleted`), and found by its id.
 * Unknown (null) for conversations from before, which stay listed. `erased`: deleted by somebody.
 */
export const messagesNotFailed: SqlMigration = {
  name: '0010-messages-not-failed',
  sql: 'ALTER TABLE {schema}.conversations ADD COLUMN not_failed int, ADD COLUMN erased boolean',
};
