import type { SqlMigration } from '@messaging-gateway/service';

/** Partitions of `messages` beside the one for all else are made at run time (see `message/partitions.ts`). */
export const messagesConversations: SqlMigration = {
  name: '0001-messages-conversations',
  sql: `
    CREATE TABLE {schema}.messages (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      network_message_id text,
      direction text NOT NULL,
      "from" text,
      "to" text,
      author text,
      type text NOT NULL,
      content jsonb NOT NULL,
      quoted_message_id uuid,
      quoted_network_message_id text,
      status text NOT NULL,
      error jsonb,
      "timestamp" timestamptz(3) NOT NULL,
      created_at timestamptz(3) NOT NULL
    ) PARTITION BY RANGE (id);
    CREATE TABLE {schema}.messages_rest PARTITION OF {schema}.messages DEFAULT WITH (fillfactor = 85);
    CREATE INDEX messages_profile_id_id_index ON {schema}.messages (profile_id, id);
    CREATE INDEX messages_conversation_id_id_index ON {schema}.messages (conversation_id, id);
    CREATE INDEX messages_profile_id_network_message_id_index ON {schema}.messages (profile_id, network_message_id);

    CREATE TABLE {schema}.conversations (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      jid text NOT NULL,
      name text,
      unread_count int NOT NULL,
      archived boolean NOT NULL DEFAULT false,
      muted boolean NOT NULL DEFAULT false,
      pinned boolean NOT NULL DEFAULT false,
      last_message_id uuid,
      created_at timestamptz(3) NOT NULL
    ) WITH (fillfactor = 85);
    CREATE INDEX conversations_organization_id_last_message_id_index ON {schema}.conversations (organization_id, last_message_id);

    CREATE TABLE {schema}.conversation_aliases (
      id uuid NOT NULL PRIMARY KEY,
      conversation_id uuid NOT NULL
    );
    CREATE INDEX conversation_aliases_conversation_id_index ON {schema}.conversation_aliases (conversation_id);`,
};
