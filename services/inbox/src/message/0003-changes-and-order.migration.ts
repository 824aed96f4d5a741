import type { SqlMigration } from '@messaging-gateway/service';

/**
 * Changes of messages, the order that people keep in their conversations, and search. Columns of conversations without a
 * value have not been set yet; a conversation muted for good is so until infinity.
 */
export const changesAndOrder: SqlMigration = {
  name: '0003-changes-and-order',
  sql: `
    ALTER TABLE {schema}.messages ADD COLUMN edited_at timestamptz(3), ADD COLUMN removed boolean NOT NULL DEFAULT false;
    CREATE INDEX messages_words_index ON {schema}.messages USING gin (
      (to_tsvector('simple', coalesce(content->>'text', '') || ' ' || coalesce(content->>'caption', '') || ' ' ||
                             coalesce(content->>'filename', '') || ' ' || coalesce(content->>'question', '') || ' ' ||
                             coalesce(content->>'name', ''))
       || array_to_tsvector(ARRAY['profile ' || profile_id::text, 'conversation ' || conversation_id::text]))
    ) WHERE NOT removed;

    CREATE TABLE {schema}.message_responses (
      message_id uuid NOT NULL,
      kind text NOT NULL,
      person text NOT NULL,
      jid text,
      value jsonb NOT NULL,
      at timestamptz(3) NOT NULL,
      PRIMARY KEY (message_id, kind, person)
    );

    CREATE TABLE {schema}.waiting_changes (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      network_message_id text NOT NULL,
      change jsonb NOT NULL,
      settled boolean NOT NULL,
      created_at timestamptz(3) NOT NULL
    );
    CREATE INDEX waiting_changes_open_index ON {schema}.waiting_changes (profile_id, network_message_id) WHERE NOT settled;

    ALTER TABLE {schema}.conversations
      ALTER COLUMN archived DROP NOT NULL, ALTER COLUMN archived DROP DEFAULT,
      ALTER COLUMN pinned DROP NOT NULL, ALTER COLUMN pinned DROP DEFAULT,
      DROP COLUMN muted,
      ADD COLUMN muted_until timestamptz(3),
      ADD COLUMN deleted boolean,
      ADD COLUMN cleared_at timestamptz(3);
    DROP INDEX {schema}.conversations_organization_id_last_message_id_index;
    CREATE INDEX conversations_listed_index ON {schema}.conversations
      (organization_id, (pinned IS TRUE), last_message_id) WHERE deleted IS NOT TRUE;
    CREATE INDEX conversations_of_profile_index ON {schema}.conversations
      (profile_id, (pinned IS TRUE), last_message_id) WHERE deleted IS NOT TRUE;
    CREATE INDEX conversations_unread_index ON {schema}.conversations
      (organization_id) INCLUDE (unread_count) WHERE unread_count > 0;`,
};
