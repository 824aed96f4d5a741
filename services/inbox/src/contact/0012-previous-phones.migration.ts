import type { SqlMigration } from '@messaging-gateway/service';

/** The number that a contact had before the one that it has now. Null: the number has never changed. */
export const previousPhones: SqlMigration = {
  name: '0012-previous-phones',
  sql: 'ALTER TABLE {schema}.contacts ADD COLUMN previous_phone text',
};
