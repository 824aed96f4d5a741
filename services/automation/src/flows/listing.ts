import type { FlowStats, GetFlow, GetFlowStats, ListFlows, Page } from '@messaging-gateway/contracts';
import { assertProfileAllowed, holding, type InputOf } from '@messaging-gateway/service';
import { entityPage, type EntityOrder } from '@messaging-gateway/service/entities';
import type { Static } from 'typebox';
import { findAnswerer } from '../answerers/answerer-records.ts';
import { AnswererEntity, type AnswererRecord } from '../answerers/answerers-view.ts';
import { AnswererStatsEntity } from '../runs/runs-view.ts';
import { shownFlow, type ShownFlow } from './shown.ts';

export const getFlow = async ({ params, caller, context }: InputOf<typeof GetFlow>): Promise<ShownFlow> =>
  shownFlow(await findAnswerer(context.em(), 'flow', params.id, caller));

const asAsked: readonly EntityOrder<AnswererRecord>[] = [
  { property: 'priority', kind: 'number' },
  { property: 'createdAt', kind: 'time' },
  { property: 'id', kind: 'id' },
];

/** A page of flows, in the order in which they are asked. @throws Refused FORBIDDEN */
export async function listFlows({ query, caller, context }: InputOf<typeof ListFlows>): Promise<Page<ShownFlow>> {
  const { profileId, enabled, search } = query;
  if (profileId !== undefined) assertProfileAllowed(caller, profileId);
  const profileIds = profileId === undefined ? caller.profileIds : [profileId];
  const where = {
    kind: 'flow' as const,
    deleted: false,
    ...(profileIds !== undefined && { profileId: { $in: [...profileIds] } }),
    ...(enabled !== undefined && { enabled }),
    ...(search !== undefined && { name: { $ilike: holding(search) } }),
  };
  const em = context.em();
  const page = await entityPage(em, AnswererEntity, { where, order: asAsked, query });
  return { ...page, items: page.items.map(shownFlow), total: await em.count(AnswererEntity, where) };
}

export async function flowStats({
  params,
  caller,
  context,
}: InputOf<typeof GetFlowStats>): Promise<Static<typeof FlowStats>> {
  const em = context.em();
  await findAnswerer(em, 'flow', params.id, caller);
  const counted = await em.findOne(AnswererStatsEntity, { answererId: params.id });
  if (counted === null) return { triggered: 0, succeeded: 0, failed: 0, lastTriggeredAt: null };
  const { triggered, succeeded, failed, lastTriggeredAt } = counted;
  return { triggered, succeeded, failed, lastTriggeredAt: lastTriggeredAt?.toISOString() ?? null };
}
