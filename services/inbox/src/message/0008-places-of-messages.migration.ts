import type { SqlMigration } from '@messaging-gateway/service';

/**
 * Messages whose own id does not stand for their time (docs/decisions/0540): the row's id is its place, a UUIDv7 of that
 * time, and `message_id` the id by which everybody knows the message. What was stored before is put right while the
 * service runs (see `message/misplaced.ts`); how far that has come stands in `messages_put_right`.
 */
export const placesOfMessages: SqlMigration = {
  name: '0008-places-of-messages',
  sql: `
    ALTER TABLE {schema}.messages ADD COLUMN message_id uuid;
    CREATE TABLE {schema}.message_places (
      message_id uuid NOT NULL PRIMARY KEY,
      place uuid NOT NULL
    );
    CREATE TABLE {schema}.messages_put_right (done_at timestamptz NOT NULL);`,
};
