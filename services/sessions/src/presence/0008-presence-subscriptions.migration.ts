import type { SqlMigration } from '@messaging-gateway/service';

export const presenceSubscriptionsMigration: SqlMigration = {
  name: '0008-presence-subscriptions',
  sql: `
    -- Chats whose presence is told, until their time. \`since\`: when that was asked for last.
    CREATE TABLE {schema}.presence_subscriptions (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      chat text NOT NULL,
      since timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    ) WITH (fillfactor = 85);
    CREATE INDEX presence_subscriptions_profile_id_since_index ON {schema}.presence_subscriptions (profile_id, since);
    CREATE INDEX presence_subscriptions_expires_at_index ON {schema}.presence_subscriptions (expires_at);`,
};
