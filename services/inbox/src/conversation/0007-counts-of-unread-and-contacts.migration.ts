import type { SqlMigration } from '@messaging-gateway/service';

/**
 * How many messages are unread, and how many contacts there are: rows that say by how much a number changed, as those of
 * conversations do (0005). They are of their own, since a message that comes in writes one and lists of conversations shall
 * not read those. A contact of the whole organization has the profile of nobody. What is written to the live tables is
 * written by plans that are kept; a rebuild writes beside them.
 */
export const countsOfUnreadAndContacts: SqlMigration = {
  name: '0007-counts-of-unread-and-contacts',
  sql: `
    CREATE TABLE {schema}.unread_counts (
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      change int NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
    CREATE INDEX unread_counts_organization_id_index ON {schema}.unread_counts (organization_id);

    CREATE FUNCTION {schema}.count_unread() RETURNS trigger LANGUAGE plpgsql AS $function$
    DECLARE
      about record := coalesce(NEW, OLD);
      change int := 0;
    BEGIN
      -- An alias is counted no longer since it became one.
      IF EXISTS (SELECT FROM {schema}.conversation_aliases a WHERE a.id = about.id) THEN
        RETURN NULL;
      END IF;
      IF TG_OP <> 'INSERT' AND OLD.deleted IS NOT TRUE THEN
        change := change - OLD.unread_count;
      END IF;
      IF TG_OP <> 'DELETE' AND NEW.deleted IS NOT TRUE THEN
        change := change + NEW.unread_count;
      END IF;
      IF change = 0 THEN
        RETURN NULL;
      END IF;
      IF TG_TABLE_SCHEMA = '{schema}' THEN
        INSERT INTO {schema}.unread_counts VALUES (about.organization_id, about.profile_id, change);
      ELSE
        EXECUTE format('INSERT INTO %I.unread_counts VALUES ($1, $2, $3)', TG_TABLE_SCHEMA)
          USING about.organization_id, about.profile_id, change;
      END IF;
      RETURN NULL;
    END $function$;
    CREATE TRIGGER conversations_unread_begun AFTER INSERT ON {schema}.conversations
      FOR EACH ROW WHEN (NEW.unread_count > 0) EXECUTE FUNCTION {schema}.count_unread();
    CREATE TRIGGER conversations_unread_ended AFTER DELETE ON {schema}.conversations
      FOR EACH ROW WHEN (OLD.unread_count > 0) EXECUTE FUNCTION {schema}.count_unread();
    CREATE TRIGGER conversations_unread_changed AFTER UPDATE ON {schema}.conversations
      FOR EACH ROW WHEN ((OLD.unread_count, OLD.deleted IS TRUE) IS DISTINCT FROM (NEW.unread_count, NEW.deleted IS TRUE))
      EXECUTE FUNCTION {schema}.count_unread();

    CREATE FUNCTION {schema}.uncount_unread_of_alias() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      -- Aliases made anew are those that there were: nothing changes.
      IF to_regclass(format('%I.unread_counts', TG_TABLE_SCHEMA)) IS NULL THEN
        RETURN NULL;
      END IF;
      EXECUTE format(
        'INSERT INTO %1$I.unread_counts
         SELECT organization_id, profile_id, -unread_count FROM %1$I.conversations
          WHERE id = $1 AND unread_count > 0 AND deleted IS NOT TRUE', TG_TABLE_SCHEMA) USING NEW.id;
      RETURN NULL;
    END $function$;
    CREATE TRIGGER conversation_aliases_unread_uncounted AFTER INSERT ON {schema}.conversation_aliases
      FOR EACH ROW EXECUTE FUNCTION {schema}.uncount_unread_of_alias();

    INSERT INTO {schema}.unread_counts
    SELECT organization_id, profile_id, sum(unread_count)
      FROM {schema}.conversations c
     WHERE deleted IS NOT TRUE AND unread_count > 0
       AND NOT EXISTS (SELECT FROM {schema}.conversation_aliases a WHERE a.id = c.id)
     GROUP BY 1, 2;

    CREATE TABLE {schema}.contact_counts (
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      change int NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
    CREATE INDEX contact_counts_organization_id_index ON {schema}.contact_counts (organization_id);

    CREATE FUNCTION {schema}.count_contact() RETURNS trigger LANGUAGE plpgsql AS $function$
    DECLARE
      about record := coalesce(NEW, OLD);
      owner uuid := coalesce(about.profile_id, '00000000-0000-0000-0000-000000000000');
      change int := CASE WHEN TG_OP = 'DELETE' OR about.deleted THEN -1 ELSE 1 END;
    BEGIN
      IF TG_TABLE_SCHEMA = '{schema}' THEN
        INSERT INTO {schema}.contact_counts VALUES (about.organization_id, owner, change);
      ELSE
        EXECUTE format('INSERT INTO %I.contact_counts VALUES ($1, $2, $3)', TG_TABLE_SCHEMA)
          USING about.organization_id, owner, change;
      END IF;
      RETURN NULL;
    END $function$;
    CREATE TRIGGER contacts_come AFTER INSERT ON {schema}.contacts
      FOR EACH ROW WHEN (NOT NEW.deleted) EXECUTE FUNCTION {schema}.count_contact();
    CREATE TRIGGER contacts_gone AFTER DELETE ON {schema}.contacts
      FOR EACH ROW WHEN (NOT OLD.deleted) EXECUTE FUNCTION {schema}.count_contact();
    CREATE TRIGGER contacts_moved AFTER UPDATE ON {schema}.contacts
      FOR EACH ROW WHEN (OLD.deleted IS DISTINCT FROM NEW.deleted) EXECUTE FUNCTION {schema}.count_contact();

    INSERT INTO {schema}.contact_counts
    SELECT organization_id, coalesce(profile_id, '00000000-0000-0000-0000-000000000000'), count(*)
      FROM {schema}.contacts WHERE NOT deleted GROUP BY 1, 2;`,
};
