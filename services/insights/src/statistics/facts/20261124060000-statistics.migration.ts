import type { SqlMigration } from '@messaging-gateway/service';

/**
 * `message_facts`: a row for each message, by its place, a UUIDv7 of its time (`fact_places` where that is not its id). `progress_ahead`: how
 * far messages have come that were not told yet. All else is counted from the facts, by quarters of an hour or days of UTC, and can be made anew:
 * `message_flow` and `message_quarters` how many there are, `message_days` the same for days, `chat_days` in which chats somebody wrote, `chats`
 * where a chat stands, `answers` what was answered when. `chat_aliases`: chats that became others. `statistics_erased`: whose messages are no longer
 * taken in. `statistics_filling`: how far the messages were read that were there before.
 */
export const statisticsMigration: SqlMigration = {
  name: '20261124060000-statistics',
  sql: `
    CREATE TABLE {schema}.message_facts (
      organization_id uuid NOT NULL,
      place uuid NOT NULL,
      message_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      at timestamptz(3) NOT NULL,
      direction text NOT NULL,
      private boolean NOT NULL,
      type text NOT NULL,
      origin text NOT NULL,
      status text NOT NULL,
      PRIMARY KEY (organization_id, place)
    ) PARTITION BY RANGE (place);
    CREATE TABLE {schema}.message_facts_rest PARTITION OF {schema}.message_facts DEFAULT WITH (fillfactor = 85);
    CREATE INDEX message_facts_chat ON {schema}.message_facts (organization_id, conversation_id, place) WHERE private;

    CREATE TABLE {schema}.fact_places (
      message_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      place uuid NOT NULL
    );
    CREATE INDEX fact_places_place ON {schema}.fact_places (place);
    CREATE INDEX fact_places_organization ON {schema}.fact_places (organization_id);

    CREATE TABLE {schema}.progress_ahead (
      message_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      status text NOT NULL,
      rank smallint NOT NULL,
      at timestamptz NOT NULL
    );
    CREATE INDEX progress_ahead_at ON {schema}.progress_ahead (at);

    CREATE TABLE {schema}.message_quarters (
      organization_id uuid NOT NULL,
      quarter timestamptz NOT NULL,
      profile_id uuid NOT NULL,
      direction text NOT NULL,
      type text NOT NULL,
      status text NOT NULL,
      origin text NOT NULL,
      count int NOT NULL,
      PRIMARY KEY (organization_id, quarter, profile_id, direction, type, status, origin)
    ) WITH (fillfactor = 70);
    CREATE TABLE {schema}.message_days (
      organization_id uuid NOT NULL,
      day timestamptz NOT NULL,
      profile_id uuid NOT NULL,
      direction text NOT NULL,
      type text NOT NULL,
      status text NOT NULL,
      origin text NOT NULL,
      count int NOT NULL,
      PRIMARY KEY (organization_id, day, profile_id, direction, type, status, origin)
    ) WITH (fillfactor = 50);
    CREATE TABLE {schema}.message_flow (
      organization_id uuid NOT NULL,
      quarter timestamptz NOT NULL,
      profile_id uuid NOT NULL,
      incoming int NOT NULL,
      outgoing int NOT NULL,
      PRIMARY KEY (organization_id, quarter, profile_id)
    ) WITH (fillfactor = 70);
    CREATE TABLE {schema}.chat_days (
      organization_id uuid NOT NULL,
      day timestamptz NOT NULL,
      profile_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      PRIMARY KEY (organization_id, day, profile_id, conversation_id)
    );

    CREATE TABLE {schema}.chats (
      organization_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      last_incoming uuid,
      last_answer uuid,
      asked uuid,
      last_answer_any uuid,
      asked_any uuid,
      PRIMARY KEY (organization_id, conversation_id)
    ) WITH (fillfactor = 70);
    CREATE TABLE {schema}.answers (
      organization_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      with_automatic boolean NOT NULL,
      answer uuid NOT NULL,
      profile_id uuid NOT NULL,
      answered_at timestamptz(3) NOT NULL,
      seconds double precision NOT NULL,
      PRIMARY KEY (organization_id, conversation_id, with_automatic, answer)
    );
    CREATE INDEX answers_by_time ON {schema}.answers (organization_id, with_automatic, answered_at) INCLUDE (profile_id, seconds);

    CREATE TABLE {schema}.chat_aliases (
      organization_id uuid NOT NULL,
      conversation_id uuid NOT NULL,
      leads_to uuid NOT NULL,
      PRIMARY KEY (organization_id, conversation_id)
    );
    CREATE INDEX chat_aliases_leads_to ON {schema}.chat_aliases (organization_id, leads_to);

    CREATE TABLE {schema}.statistics_erased (
      organization_id uuid NOT NULL PRIMARY KEY,
      at timestamptz NOT NULL
    );
    CREATE TABLE {schema}.statistics_filling (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      after uuid,
      ended_at timestamptz
    );
    INSERT INTO {schema}.statistics_filling DEFAULT VALUES;`,
};
