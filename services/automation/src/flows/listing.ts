import type { FlowStats, GetFlow, GetFlowStats, ListFlows, Page } from '@messaging-gateway/contracts';
import {
  allOf,
  assertProfileAllowed,
  holding,
  readPage,
  whereGiven,
  type InputOf,
  type SortKey,
} from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { findAnswerer, selectAnswerers, type AnswererRow } from '../answerers/answerer-records.ts';
import { shownFlow, type ShownFlow } from './shown.ts';
import type { FlowTools } from './tools.ts';

export const getFlow = async ({ sql }: FlowTools, { params, caller }: InputOf<typeof GetFlow>): Promise<ShownFlow> =>
  shownFlow(await findAnswerer(sql, 'flow', params.id, caller));

const asAsked: readonly SortKey<AnswererRow>[] = [
  { column: 'priority', kind: 'number', of: (row) => row.priority },
  { column: 'created_at', kind: 'time', of: (row) => row.created_at.toISOString() },
  { column: 'id', kind: 'id', of: (row) => row.id },
];

/** A page of flows, in the order in which they are asked. @throws Refused FORBIDDEN */
export async function listFlows(
  { sql }: FlowTools,
  { query, caller }: InputOf<typeof ListFlows>,
): Promise<Page<ShownFlow>> {
  const { profileId, enabled, search } = query;
  if (profileId !== undefined) assertProfileAllowed(caller, profileId);
  const where = allOf([
    ['organization_id = $1', caller.organizationId],
    [`kind = 'flow' AND NOT deleted`],
    whereGiven('profile_id = ANY ($1::uuid[])', profileId === undefined ? caller.profileIds : [profileId]),
    whereGiven('enabled = $1', enabled),
    whereGiven('name ILIKE $1', search, holding),
  ]);
  const [page, [counted]] = await Promise.all([
    readPage(sql, { select: selectAnswerers, where, order: asAsked, query }),
    sql.query<{ total: number }>(`SELECT count(*)::int AS total FROM answerers WHERE ${where.text}`, where.values),
  ]);
  return { ...page, items: page.items.map(shownFlow), total: counted?.total ?? 0 };
}

export async function flowStats(
  { sql }: FlowTools,
  { params, caller }: InputOf<typeof GetFlowStats>,
): Promise<Static<typeof FlowStats>> {
  await findAnswerer(sql, 'flow', params.id, caller);
  const [counted] = await sql.query<StatsRow>(
    `SELECT triggered::int, succeeded::int, failed::int, last_triggered_at FROM answerer_stats WHERE answerer_id = $1`,
    [params.id],
  );
  if (counted === undefined) return { triggered: 0, succeeded: 0, failed: 0, lastTriggeredAt: null };
  const { triggered, succeeded, failed, last_triggered_at: last } = counted;
  return { triggered, succeeded, failed, lastTriggeredAt: last?.toISOString() ?? null };
}

interface StatsRow {
  readonly triggered: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly last_triggered_at: Date | null;
}
