import type { SqlMigration } from '@messaging-gateway/service';

export const mailsMigration: SqlMigration = {
  name: '20261124140000-mails',
  sql: `
    -- Members who are mailed to, and how far they were.
    CREATE TABLE {schema}.notification_mails (
      id uuid NOT NULL PRIMARY KEY DEFAULT gen_random_uuid(),
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      -- The last notification that was mailed, by its place.
      mailed_up_to bigint NOT NULL DEFAULT 0,
      mailed_at timestamptz(3),
      -- Grows with what is told: what comes while one is mailed is mailed next.
      news bigint NOT NULL DEFAULT 1,
      due timestamptz(3),
      UNIQUE (organization_id, user_id)
    ) WITH (fillfactor = 70);
    CREATE INDEX notification_mails_due ON {schema}.notification_mails (due) WHERE due IS NOT NULL;
  `,
};
