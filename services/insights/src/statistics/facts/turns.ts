import type { Sql } from '@messaging-gateway/service';

/** First half of the advisory locks of organizations. */
const turnsOfOrganizations = 7_260_817;

/**
 * Waits for the turn of some organizations, until the end of the transaction: facts and what is counted from them are written one after the
 * other, by replicas and by a rebuild too, so that all that is read within the turn is how it stands.
 */
export async function inTurn(sql: Sql, organizationIds: readonly string[]): Promise<void> {
  await sql.query(
    `SELECT pg_advisory_xact_lock(${turnsOfOrganizations}, key)
       FROM (SELECT DISTINCT hashtext(id) AS key FROM unnest($1::text[]) id ORDER BY 1) keys`,
    [organizationIds],
  );
}
