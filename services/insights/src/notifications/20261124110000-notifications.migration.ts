import type { SqlMigration } from '@messaging-gateway/service';

export const notificationsMigration: SqlMigration = {
  name: '20261124110000-notifications',
  sql: `
    -- What each is told. Texts lie in the clear: they go with the person who wrote, with the user, and after some days.
    CREATE TABLE {schema}.notifications (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      -- Grows with each that is told or counted up, in the order of commits: see notification_heads.
      place bigint NOT NULL,
      type text NOT NULL,
      title text NOT NULL,
      body text NOT NULL,
      metadata jsonb NOT NULL,
      count int NOT NULL,
      -- Unread ones with the same are one.
      tally text,
      -- Permission that whoever sees it needs, and the profile that it is about.
      needs text,
      profile_id uuid,
      -- JID of whoever wrote, and the last message.
      person text,
      message_id uuid,
      is_read boolean NOT NULL DEFAULT false,
      at timestamptz(3) NOT NULL
    ) WITH (fillfactor = 80);
    CREATE UNIQUE INDEX notifications_in_order ON {schema}.notifications (organization_id, user_id, place);
    CREATE UNIQUE INDEX notifications_counted ON {schema}.notifications (organization_id, user_id, tally)
      WHERE NOT is_read AND tally IS NOT NULL;
    CREATE INDEX notifications_of_persons ON {schema}.notifications (organization_id, person) WHERE person IS NOT NULL;
    CREATE INDEX notifications_of_messages ON {schema}.notifications (organization_id, message_id) WHERE message_id IS NOT NULL;
    CREATE INDEX notifications_by_age ON {schema}.notifications (at);

    -- The last place given out in an organization: its row lock makes the order of places that of commits.
    CREATE TABLE {schema}.notification_heads (
      organization_id uuid NOT NULL PRIMARY KEY,
      last bigint NOT NULL
    ) WITH (fillfactor = 50);

    -- What has happened and is not told yet, for a moment.
    CREATE TABLE {schema}.notification_news (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      sequence text COLLATE "C" NOT NULL,
      at timestamptz(3) NOT NULL,
      draft jsonb NOT NULL,
      PRIMARY KEY (organization_id, id)
    );
    -- Facts that were heard: one that comes again is told to nobody. Of a chat the last message.
    CREATE TABLE {schema}.notification_facts (
      id uuid NOT NULL PRIMARY KEY,
      at timestamptz(3) NOT NULL
    );
    CREATE INDEX notification_facts_by_age ON {schema}.notification_facts (at);
    CREATE TABLE {schema}.notification_chats (
      organization_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      sequence text COLLATE "C" NOT NULL,
      at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, conversation_id)
    ) WITH (fillfactor = 80);
    CREATE INDEX notification_chats_by_age ON {schema}.notification_chats (at);

    -- Organizations with news: who tells them is one at a time.
    CREATE TABLE {schema}.notification_desks (
      organization_id uuid NOT NULL PRIMARY KEY,
      due timestamptz(3)
    ) WITH (fillfactor = 50);
    CREATE INDEX notification_desks_due ON {schema}.notification_desks (due) WHERE due IS NOT NULL;
  `,
};
