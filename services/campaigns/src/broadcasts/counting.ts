import type { AnswerOf, BodyOf, CountBroadcasts } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';
import type { BroadcastStatus } from './broadcast.ts';

type Counts = AnswerOf<typeof CountBroadcasts>;

interface Row {
  readonly status: BroadcastStatus;
  readonly count: number;
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
  readonly delivered: number;
  readonly read: number;
}

/** Broadcasts by their status, with what has become of their messages. */
export async function countBroadcasts(
  sql: Sql,
  { organizationId, profileIds, from, to }: BodyOf<typeof CountBroadcasts>,
): Promise<Counts> {
  const rows = await sql.query<Row>(
    `SELECT status, count(*)::int AS count, sum(total)::int AS total, sum(sent)::int AS sent, sum(failed)::int AS failed,
            sum(delivered)::int AS delivered, sum(read)::int AS read
       FROM broadcasts
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR profile_id = ANY ($2))
        AND created_at >= coalesce($3::timestamptz, '-infinity') AND created_at < coalesce($4::timestamptz, 'infinity')
      GROUP BY status`,
    [organizationId, profileIds ?? null, from ?? null, to ?? null],
  );
  const sum = (of: (row: Row) => number): number => rows.reduce((so, row) => so + of(row), 0);
  return {
    total: sum(({ count }) => count),
    byStatus: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
    messages: {
      total: sum(({ total }) => total),
      sent: sum(({ sent }) => sent),
      failed: sum(({ failed }) => failed),
      delivered: sum(({ delivered }) => delivered),
      read: sum(({ read }) => read),
    },
  };
}
