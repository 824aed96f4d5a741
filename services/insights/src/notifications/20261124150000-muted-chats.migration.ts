import type { SqlMigration } from '@messaging-gateway/service';

export const mutedChatsMigration: SqlMigration = {
  name: '20261124150000-muted-chats',
  sql: `
    -- Conversations of which nobody is told. For good: until infinity.
    CREATE TABLE {schema}.notification_muted_chats (
      organization_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      until timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, conversation_id)
    );
  `,
};
