import type { SqlMigration } from '@messaging-gateway/service';

/** After how many seconds messages of a chat disappear on phones. A chat may have a timer before it has a conversation. */
export const chatTimersTable: SqlMigration = {
  name: '0012-chat-timers',
  sql: `
    CREATE TABLE {schema}.chat_timers (
      conversation_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      seconds integer NOT NULL,
      set_at timestamptz(3) NOT NULL
    );
    CREATE INDEX chat_timers_organization_id_index ON {schema}.chat_timers (organization_id);`,
};
