import type { SqlMigration } from '@messaging-gateway/service';

/**
 * Quotas of organizations: what one has is counted by functions that see what was committed while the statement waited for the
 * organization's row: the statement itself does not.
 */
export const quotas: SqlMigration = {
  name: '0006-quotas',
  sql: `
    CREATE TABLE {schema}.quotas (organization_id uuid NOT NULL PRIMARY KEY);
    CREATE FUNCTION {schema}.profiles_of(organization uuid) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $function$
    BEGIN
      RETURN (SELECT count(*) FROM {schema}.profiles WHERE organization_id = organization);
    END $function$;
    CREATE FUNCTION {schema}.unscanned_of(organization uuid, besides uuid) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $function$
    BEGIN
      RETURN (SELECT count(*) FROM {schema}.profiles
               WHERE organization_id = organization AND is_wanted AND phone_number IS NULL AND id <> besides);
    END $function$;`,
};
