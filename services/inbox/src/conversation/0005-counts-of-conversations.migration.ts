import type { SqlMigration } from '@messaging-gateway/service';

/**
 * How many conversations there are, by what lists are filtered by: rows that say by how much a number changed, written
 * by triggers and added up now and then (see `conversation/counts.ts`). Nobody waits for another one's row. Triggers
 * write beside their own table, so that views made anew count anew.
 */
export const countsOfConversations: SqlMigration = {
  name: '0005-counts-of-conversations',
  sql: `
    CREATE TABLE {schema}.conversation_counts (
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      is_group boolean NOT NULL,
      archived boolean NOT NULL,
      unread boolean NOT NULL,
      change int NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
    CREATE INDEX conversation_counts_organization_id_index ON {schema}.conversation_counts (organization_id);

    CREATE FUNCTION {schema}.count_conversation() RETURNS trigger LANGUAGE plpgsql AS $function$
    DECLARE
      counts constant text := format('INSERT INTO %I.conversation_counts VALUES ($1, $2, $3, $4, $5, $6)', TG_TABLE_SCHEMA);
    BEGIN
      -- An alias is counted no longer since it became one.
      IF EXISTS (SELECT FROM {schema}.conversation_aliases a WHERE a.id = coalesce(NEW.id, OLD.id)) THEN
        RETURN NULL;
      END IF;
      IF TG_OP <> 'INSERT' AND OLD.deleted IS NOT TRUE THEN
        EXECUTE counts USING OLD.organization_id, OLD.profile_id, OLD.jid LIKE '%@g.us', OLD.archived IS TRUE, OLD.unread_count > 0, -1;
      END IF;
      IF TG_OP <> 'DELETE' AND NEW.deleted IS NOT TRUE THEN
        EXECUTE counts USING NEW.organization_id, NEW.profile_id, NEW.jid LIKE '%@g.us', NEW.archived IS TRUE, NEW.unread_count > 0, 1;
      END IF;
      RETURN NULL;
    END $function$;
    CREATE TRIGGER conversations_counted AFTER INSERT OR DELETE ON {schema}.conversations
      FOR EACH ROW EXECUTE FUNCTION {schema}.count_conversation();
    CREATE TRIGGER conversations_moved AFTER UPDATE ON {schema}.conversations
      FOR EACH ROW WHEN (
        (OLD.unread_count > 0, OLD.archived IS TRUE, OLD.deleted IS TRUE, OLD.organization_id, OLD.profile_id)
        IS DISTINCT FROM
        (NEW.unread_count > 0, NEW.archived IS TRUE, NEW.deleted IS TRUE, NEW.organization_id, NEW.profile_id))
      EXECUTE FUNCTION {schema}.count_conversation();

    CREATE FUNCTION {schema}.uncount_alias() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      -- Aliases made anew are those that there were: nothing changes.
      IF to_regclass(format('%I.conversation_counts', TG_TABLE_SCHEMA)) IS NULL THEN
        RETURN NULL;
      END IF;
      EXECUTE format(
        'INSERT INTO %1$I.conversation_counts
         SELECT organization_id, profile_id, jid LIKE ''%%@g.us'', archived IS TRUE, unread_count > 0, -1
           FROM %1$I.conversations WHERE id = $1 AND deleted IS NOT TRUE', TG_TABLE_SCHEMA) USING NEW.id;
      RETURN NULL;
    END $function$;
    CREATE TRIGGER conversation_aliases_uncounted AFTER INSERT ON {schema}.conversation_aliases
      FOR EACH ROW EXECUTE FUNCTION {schema}.uncount_alias();

    INSERT INTO {schema}.conversation_counts
    SELECT organization_id, profile_id, jid LIKE '%@g.us', archived IS TRUE, unread_count > 0, count(*)
      FROM {schema}.conversations c
     WHERE deleted IS NOT TRUE AND NOT EXISTS (SELECT FROM {schema}.conversation_aliases a WHERE a.id = c.id)
     GROUP BY 1, 2, 3, 4, 5;`,
};
