import type { Sql } from '@messaging-gateway/service';
import { dayMs, quarterMs } from '../facts/counts.ts';
import type { Direction, Fact } from '../facts/fact.ts';
import { firstPlaceAt } from '../facts/place.ts';
import type { Period, Scope } from '../periods/asked.ts';

/** How many messages there are of a kind. */
export interface CountedKind {
  readonly direction: Direction;
  readonly type: string;
  readonly status: Fact['status'];
  readonly count: number;
}

const ofProfiles = '($2::uuid[] IS NULL OR profile_id = ANY ($2))';
const ofScope = `organization_id = $1 AND ${ofProfiles}`;
const valuesOf = ({ organizationId, profileIds }: Scope): unknown[] => [organizationId, profileIds ?? null];

/** A stretch of time. */
type Span = readonly [from: number, to: number];

/** A period as whole steps, and what lies before and behind them. */
function stepsOf(
  { from, to }: Period,
  step: number,
): { readonly whole: Span; readonly before: Span; readonly behind: Span } {
  const [begin, end] = [Math.ceil(from / step) * step, Math.floor(to / step) * step];
  if (begin >= end) return { whole: [from, from], before: [from, to], behind: [to, to] };
  return { whole: [begin, end], before: [from, begin], behind: [end, to] };
}

const times = (span: Span): Date[] => span.map((time) => new Date(time));
const places = (span: Span): string[] => span.map(firstPlaceAt);

/** Exact at both ends: whole days, then quarters of an hour, and what is left message by message. */
export async function countKinds(sql: Sql, scope: Scope, period: Period): Promise<CountedKind[]> {
  const quarters = stepsOf(period, quarterMs);
  const [from, to] = quarters.whole;
  const days = stepsOf({ from, to }, dayMs);
  return sql.query<CountedKind>(
    `SELECT direction, type, status, sum(count)::int AS count FROM (
       SELECT direction, type, status, count FROM message_days WHERE ${ofScope} AND day >= $3 AND day < $4
       UNION ALL SELECT direction, type, status, count FROM message_quarters WHERE ${ofScope} AND quarter >= $5 AND quarter < $6
       UNION ALL SELECT direction, type, status, count FROM message_quarters WHERE ${ofScope} AND quarter >= $7 AND quarter < $8
       UNION ALL SELECT direction, type, status, 1 FROM message_facts WHERE ${ofScope} AND place >= $9 AND place < $10
       UNION ALL SELECT direction, type, status, 1 FROM message_facts WHERE ${ofScope} AND place >= $11 AND place < $12
     ) counted GROUP BY direction, type, status HAVING sum(count) <> 0`,
    [
      ...valuesOf(scope),
      ...times(days.whole),
      ...times(days.before),
      ...times(days.behind),
      ...places(quarters.before),
      ...places(quarters.behind),
    ],
  );
}

/** Messages in and out. */
export interface Flow {
  readonly incoming: number;
  readonly outgoing: number;
}

/** Of each bucket of a period. @param begins of the buckets, the first not after the beginning of the period */
export async function countFlow(sql: Sql, scope: Scope, period: Period, begins: readonly number[]): Promise<Flow[]> {
  const { whole, before, behind } = stepsOf(period, quarterMs);
  const rows = await sql.query<Flow & { bucket: number }>(
    `SELECT width_bucket(time, $3::timestamptz[]) AS bucket, sum(incoming)::int AS incoming, sum(outgoing)::int AS outgoing FROM (
       SELECT quarter AS time, sum(incoming) AS incoming, sum(outgoing) AS outgoing FROM message_flow
        WHERE ${ofScope} AND quarter >= $4 AND quarter < $5 GROUP BY quarter
       UNION ALL SELECT at, (direction = 'incoming')::int, (direction = 'outgoing')::int FROM message_facts
        WHERE ${ofScope} AND place >= $6 AND place < $7
       UNION ALL SELECT at, (direction = 'incoming')::int, (direction = 'outgoing')::int FROM message_facts
        WHERE ${ofScope} AND place >= $8 AND place < $9
     ) counted GROUP BY 1`,
    [...valuesOf(scope), begins.map((time) => new Date(time)), ...times(whole), ...places(before), ...places(behind)],
  );
  const found = new Map(rows.map(({ bucket, incoming, outgoing }) => [bucket, { incoming, outgoing }]));
  return begins.map((_, index) => found.get(index + 1) ?? { incoming: 0, outgoing: 0 });
}

/** At all times. */
export async function countAll(sql: Sql, scope: Scope): Promise<Flow> {
  const [row] = await sql.query<Flow>(
    `SELECT coalesce(sum(count) FILTER (WHERE direction = 'incoming'), 0)::int AS incoming,
            coalesce(sum(count) FILTER (WHERE direction = 'outgoing'), 0)::int AS outgoing
       FROM message_days WHERE ${ofScope}`,
    valuesOf(scope),
  );
  return row ?? { incoming: 0, outgoing: 0 };
}

/** Private chats in which somebody wrote in a period. */
export async function countActive(sql: Sql, scope: Scope, period: Period): Promise<number> {
  const { whole, before, behind } = stepsOf(period, dayMs);
  const wrote = `private AND direction = 'incoming'`;
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT conversation_id FROM chat_days WHERE ${ofScope} AND day >= $3 AND day < $4
       UNION SELECT conversation_id FROM message_facts WHERE ${ofScope} AND ${wrote} AND place >= $5 AND place < $6
       UNION SELECT conversation_id FROM message_facts WHERE ${ofScope} AND ${wrote} AND place >= $7 AND place < $8
     ) active`,
    [...valuesOf(scope), ...times(whole), ...places(before), ...places(behind)],
  );
  return row?.count ?? 0;
}

/** Seconds of the answers of a period: of all of them, and of each profile. */
export interface Waits {
  /** Null: of all. */
  readonly profileId: string | null;
  readonly count: number;
  readonly average: number | null;
  readonly median: number | null;
  readonly p95: number | null;
}

const waits = `count(*)::int AS count, avg(seconds) AS average, percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median,
  percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds) AS p95`;
const answersOf = `answers WHERE ${ofScope} AND with_automatic = $3 AND answered_at >= $4 AND answered_at < $5`;

export async function countWaits(sql: Sql, scope: Scope, period: Period, withAutomatic: boolean): Promise<Waits[]> {
  return sql.query<Waits>(
    `SELECT profile_id AS "profileId", ${waits} FROM ${answersOf} GROUP BY GROUPING SETS ((profile_id), ())`,
    [...valuesOf(scope), withAutomatic, ...times([period.from, period.to])],
  );
}

/** Answers and their seconds by quarters of an hour. */
export interface QuarterOfWaits {
  readonly quarter: Date;
  readonly count: number;
  readonly seconds: number;
}

export async function waitsByQuarter(
  sql: Sql,
  scope: Scope,
  period: Period,
  withAutomatic: boolean,
): Promise<QuarterOfWaits[]> {
  return sql.query<QuarterOfWaits>(
    `SELECT to_timestamp(floor(extract(epoch FROM answered_at)::float8 / 900) * 900) AS quarter, count(*)::int AS count, sum(seconds) AS seconds
       FROM ${answersOf} GROUP BY 1`,
    [...valuesOf(scope), withAutomatic, ...times([period.from, period.to])],
  );
}
