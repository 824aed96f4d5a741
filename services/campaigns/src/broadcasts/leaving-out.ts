import type { Sql } from '@messaging-gateway/service';

/** Rows `a` of `audience`. Parameters begin with $3. */
interface Some {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Leaves recipients out who have not been released: they get nothing, and are counted as skipped. */
export async function leaveOut(sql: Sql, { text, values }: Some, code: string, now: number): Promise<void> {
  await sql.query(
    `WITH held AS MATERIALIZED (
       SELECT b.audience_id FROM broadcasts b
        WHERE b.audience_id IN (SELECT a.audience_id FROM audience a WHERE ${text} AND a.status = 'pending')
        ORDER BY b.broadcast_id FOR UPDATE),
     gone AS (
       UPDATE audience a SET status = 'skipped', error = jsonb_build_object('code', $1::text) FROM held
        WHERE ${text} AND a.audience_id = held.audience_id AND a.status = 'pending' RETURNING a.broadcast_id),
     counted AS (SELECT broadcast_id, count(*)::int AS number FROM gone GROUP BY broadcast_id)
     UPDATE broadcasts b SET skipped = b.skipped + counted.number,
        next_look_at = CASE WHEN b.status = 'running' AND b.held_by IS NULL THEN least(b.next_look_at, $2) ELSE b.next_look_at END
       FROM counted WHERE b.broadcast_id = counted.broadcast_id`,
    [code, new Date(now), ...values],
  );
}
