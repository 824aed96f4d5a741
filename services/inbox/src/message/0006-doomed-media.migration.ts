import type { SqlMigration } from '@messaging-gateway/service';

/** Media of messages that are being deleted, until they are gone from the store. */
export const doomedMediaTable: SqlMigration = {
  name: '0006-doomed-media',
  sql: `
    CREATE TABLE {schema}.doomed_media (
      key text NOT NULL PRIMARY KEY,
      message_id uuid NOT NULL,
      noted_at timestamptz(3) NOT NULL
    );`,
};
