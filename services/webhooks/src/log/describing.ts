import type { AnswerOf, BodyOf, DescribeEvent } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';

/** Kind and facts of an organization's event, by its id. */
export async function describeEvent(
  sql: Sql,
  { organizationId, eventId }: BodyOf<typeof DescribeEvent>,
): Promise<AnswerOf<typeof DescribeEvent>> {
  const [row] = await sql.query<{ kind: string; occurred_at: Date }>(
    'SELECT kind, occurred_at FROM event_log WHERE id = $1 AND organization_id = $2',
    [eventId, organizationId],
  );
  return { event: row === undefined ? null : { kind: row.kind, occurredAt: row.occurred_at.toISOString() } };
}
