import type { AnswerOf, BodyOf, CountAutomations } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';

type Counts = AnswerOf<typeof CountAutomations>;

/** Flows, and what has become of what they matched. */
export async function countAutomations(
  sql: Sql,
  { organizationId, profileIds, from, to }: BodyOf<typeof CountAutomations>,
): Promise<Counts> {
  const [row] = await sql.query<Counts>(
    `WITH known AS (
       SELECT id, name, enabled FROM answerers
        WHERE organization_id = $1 AND kind = 'flow' AND NOT deleted AND ($2::uuid[] IS NULL OR profile_id = ANY ($2))
     ), matched AS (
       SELECT answerer_id, sum(triggered)::int AS triggered, sum(succeeded)::int AS succeeded, sum(failed)::int AS failed
         FROM flow_quarters
        WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR profile_id = ANY ($2))
          AND quarter > coalesce($3::timestamptz - interval '15 minutes', '-infinity') AND quarter < coalesce($4::timestamptz, 'infinity')
        GROUP BY answerer_id
     ), top AS (
       SELECT known.id, known.name, matched.triggered FROM known JOIN matched ON matched.answerer_id = known.id AND matched.triggered > 0
        ORDER BY matched.triggered DESC, known.name, known.id LIMIT 10
     )
     SELECT (SELECT count(*)::int FROM known) AS total,
            (SELECT count(*)::int FROM known WHERE enabled) AS enabled,
            (SELECT coalesce(sum(triggered), 0)::int FROM matched) AS triggered,
            (SELECT coalesce(sum(succeeded), 0)::int FROM matched) AS succeeded,
            (SELECT coalesce(sum(failed), 0)::int FROM matched) AS failed,
            coalesce((SELECT jsonb_agg(jsonb_build_object('id', id, 'name', name, 'triggered', triggered)
                                       ORDER BY triggered DESC, name, id) FROM top), '[]') AS top`,
    [organizationId, profileIds ?? null, from ?? null, to ?? null],
  );
  return row ?? { total: 0, enabled: 0, triggered: 0, succeeded: 0, failed: 0, top: [] };
}
