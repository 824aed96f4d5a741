import type { AnswerOf, BodyOf, CountContacts } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';

interface Row {
  readonly total: number;
  readonly tagged: number;
  /** By the place of the interval among the times; 0: before the first. */
  readonly made: Readonly<Record<string, number>>;
  readonly tags: AnswerOf<typeof CountContacts>['topTags'];
}

/** How many contacts there are, with which tags, and when they were made. */
export async function countContacts(
  sql: Sql,
  { organizationId, profileIds, times }: BodyOf<typeof CountContacts>,
): Promise<AnswerOf<typeof CountContacts>> {
  const [row] = await sql.query<Row>(
    `WITH known AS MATERIALIZED (
       SELECT c.tags, c.created_at FROM contacts c
        WHERE c.organization_id = $1 AND NOT c.deleted AND ($2::uuid[] IS NULL OR c.profile_id = ANY ($2))
     ), tagged AS (
       SELECT tag, count(*)::int AS count FROM known CROSS JOIN LATERAL (SELECT DISTINCT unnest(known.tags) AS tag) tags
        GROUP BY tag ORDER BY 2 DESC, tag LIMIT 10
     ), made AS (
       SELECT width_bucket(created_at, $3::timestamptz[]) AS place, count(*)::int AS count FROM known
        WHERE cardinality($3::timestamptz[]) > 0 GROUP BY 1
     )
     SELECT (SELECT count(*)::int FROM known) AS total,
            (SELECT count(*)::int FROM known WHERE tags <> '{}') AS tagged,
            coalesce((SELECT jsonb_object_agg(place, count) FROM made), '{}') AS made,
            coalesce((SELECT jsonb_agg(jsonb_build_object('tag', tag, 'count', count) ORDER BY count DESC, tag) FROM tagged), '[]') AS tags`,
    [organizationId, profileIds ?? null, times],
  );
  const { total = 0, tagged = 0, made = {}, tags = [] } = row ?? {};
  return {
    total,
    withTags: tagged,
    topTags: tags,
    before: made['0'] ?? 0,
    made: times.slice(1).map((_, index) => made[String(index + 1)] ?? 0),
  };
}
