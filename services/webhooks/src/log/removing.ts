import type { Sql } from '@messaging-gateway/service';

/** Notes up to where the log of each organization is gone, for readers who have not come so far. */
const noted = `
  INSERT INTO log_removed AS r (organization_id, sequence, event_id)
  SELECT organization_id, sequence, id FROM tops ORDER BY organization_id
  ON CONFLICT (organization_id) DO UPDATE SET sequence = excluded.sequence, event_id = excluded.event_id
   WHERE excluded.sequence > r.sequence`;

/** Removes what was logged before a time from a table of the log, row by row. */
export async function removeLogged(sql: Sql, table: string, before: Date): Promise<void> {
  await sql.query(
    `WITH gone AS (DELETE FROM ${table} WHERE logged_at < $1 RETURNING organization_id, sequence, id),
          tops AS (SELECT DISTINCT ON (organization_id) * FROM gone ORDER BY organization_id, sequence DESC) ${noted}`,
    [before],
  );
}

/** Notes what goes with a partition of the log. Asks the index, once for each organization. */
export async function noteDropped(sql: Sql, partition: string): Promise<void> {
  await sql.query(
    `WITH tops AS (
       SELECT h.organization_id, l.sequence, l.id FROM log_heads h CROSS JOIN LATERAL (
         SELECT p.sequence, p.id FROM ${partition} p WHERE p.organization_id = h.organization_id ORDER BY p.sequence DESC LIMIT 1
       ) l
     ) ${noted}`,
  );
}

/** The last event of an organization that is gone. */
export async function lastRemoved(
  sql: Sql,
  organizationId: string,
): Promise<{ readonly sequence: bigint; readonly eventId: string } | undefined> {
  const [removed] = await sql.query<{ sequence: string; event_id: string }>(
    'SELECT sequence, event_id FROM log_removed WHERE organization_id = $1',
    [organizationId],
  );
  return removed && { sequence: BigInt(removed.sequence), eventId: removed.event_id };
}
