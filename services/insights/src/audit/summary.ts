import type { AuditSummary, GetAuditSummary } from '@messaging-gateway/contracts';
import { allOf, type InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { AuditTools } from './tools.ts';
import { namedActors, type ActorRow } from './actors.ts';
import { seenBy, type Period } from './conditions.ts';

const usualDays = 30;
const dayMs = 86_400_000;
const mostActors = 100;

interface Counted {
  readonly action: string | null;
  readonly actorType: string | null;
  readonly actorId: string | null;
  readonly day: string | null;
  readonly count: number;
}

/** Counts of the caller's organization by action, by actor and by day (UTC). */
export async function auditSummary(
  tools: AuditTools,
  { caller, query, context }: InputOf<typeof GetAuditSummary>,
): Promise<Static<typeof AuditSummary>> {
  const { text, values } = allOf(seenBy(caller, periodOf(query, tools.clock.now())));
  const rows = await tools.sql.query<Counted>(
    `SELECT action, actor_type AS "actorType", actor_id AS "actorId", to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*)::int AS count
       FROM audit_entries WHERE ${text}
      GROUP BY GROUPING SETS ((action), (actor_type, actor_id), (to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), ())`,
    values,
  );
  const most = (one: Counted, other: Counted): number => other.count - one.count;
  const actors = rows
    .filter((row): row is Counted & ActorRow => row.actorId !== null)
    .toSorted(most)
    .slice(0, mostActors);
  const actorOf = await namedActors(tools, caller.organizationId, actors, context);
  const isTotal = ({ action, actorId, day }: Counted): boolean => action === null && actorId === null && day === null;
  return {
    total: rows.find(isTotal)?.count ?? 0,
    byAction: rows.toSorted(most).flatMap(({ action, count }) => (action === null ? [] : [{ action, count }])),
    byActor: actors.map((row) => ({ actor: actorOf(row), count: row.count })),
    daily: rows
      .flatMap(({ day, count }) => (day === null ? [] : [{ date: day, count }]))
      .toSorted((one, other) => (one.date < other.date ? -1 : 1)),
  };
}

function periodOf({ from, to }: Period, now: number): Period {
  const end = to === undefined ? now : Date.parse(to);
  return {
    from: from ?? new Date(end - usualDays * dayMs).toISOString(),
    ...(to !== undefined && { to }),
  };
}
