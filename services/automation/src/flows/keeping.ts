import type { CreateFlow, DeleteFlow, FlowAction, ToggleFlow, UpdateFlow } from '@messaging-gateway/contracts';
import { invalid } from '@messaging-gateway/messaging';
import type { InputOf } from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import { findAnswerer, requireProfile } from '../answerers/answerer-records.ts';
import { AnswererEntity } from '../answerers/answerers-view.ts';
import { sealSecret } from '../answerers/secrets.ts';
import { checkGiven } from './checking.ts';
import { flowOf, withDefaults, type FlowDefinition } from './definition.ts';
import { keptHeaders, sealedHeaders } from './headers.ts';
import { shownFlow, type ShownFlow } from './shown.ts';
import type { FlowTools } from './tools.ts';

/** Flows of a profile, at most. */
const mostFlows = 200;

/** @throws Refused VALIDATION_ERROR naming the fields, NOT_FOUND, FORBIDDEN, QUOTA_REACHED */
export async function createFlow(tools: FlowTools, input: InputOf<typeof CreateFlow>): Promise<ShownFlow> {
  const { body, caller } = input;
  const { organizationId } = caller;
  const { profileId, name, trigger, conditions = [], secret, enabled = true } = body;
  requireProfile(caller, profileId);
  const steps = await checkGiven(tools, body, { organizationId, profileId });
  if (steps === undefined) throw invalid([{ path: 'body.actions', message: 'is required, or action' }]);
  const definition: FlowDefinition = {
    trigger,
    conditions,
    actions: kept(tools, organizationId, steps, []),
    continue: body.continue ?? false,
    groups: body.groups ?? false,
    cooldownSeconds: body.cooldownSeconds ?? 0,
    ...(secret !== undefined && { secret: sealSecret(tools.encryption, organizationId, secret) }),
  };
  const priority = body.priority ?? (await lastPriority(input.context.em(), profileId)) + 1;
  const document = { kind: 'flow', profileId, name, enabled, priority, definition } as const;
  return shownFlow(await tools.answerers.create(document, input, { most: mostFlows }));
}

/** @throws Refused VALIDATION_ERROR naming the fields, NOT_FOUND, FORBIDDEN */
export async function updateFlow(tools: FlowTools, input: InputOf<typeof UpdateFlow>): Promise<ShownFlow> {
  const { params, body, caller } = input;
  const { organizationId } = caller;
  const row = await findAnswerer(input.context.em(), 'flow', params.id, caller);
  const before = flowOf(row);
  const steps = await checkGiven(tools, body, { organizationId, profileId: row.profileId ?? '' }, before);
  const { name, enabled, priority, trigger, conditions, continue: continues, groups, cooldownSeconds, secret } = body;
  const fields = {
    trigger,
    conditions,
    actions: steps === undefined ? undefined : kept(tools, organizationId, steps, before.actions),
    continue: continues,
    groups,
    cooldownSeconds,
    secret: typeof secret === 'string' ? sealSecret(tools.encryption, organizationId, secret) : secret,
  };
  const changes = { ...given({ name, enabled, priority }), fields: given(fields) };
  return shownFlow(await tools.answerers.change('flow', params.id, changes, input));
}

export async function toggleFlow(tools: FlowTools, input: InputOf<typeof ToggleFlow>): Promise<ShownFlow> {
  const { enabled } = await findAnswerer(input.context.em(), 'flow', input.params.id, input.caller);
  return shownFlow(await tools.answerers.change('flow', input.params.id, { enabled: !enabled }, input));
}

export const deleteFlow = (tools: FlowTools, input: InputOf<typeof DeleteFlow>): Promise<void> =>
  tools.answerers.remove('flow', input.params.id, input);

type Given<T> = { -readonly [K in keyof T]?: Exclude<T[K], undefined> };

const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

/** Steps as they are kept: with defaults, values of headers sealed. */
const kept = (
  { encryption }: FlowTools,
  organizationId: string,
  steps: readonly FlowAction[],
  before: readonly FlowAction[],
): readonly FlowAction[] =>
  steps.map((step) => {
    const action = withDefaults(step);
    if (action.type !== 'webhook' || action.headers === undefined) return action;
    const seal = (value: string): string => sealSecret(encryption, organizationId, value);
    const headers = sealedHeaders(action.headers, keptHeaders(before, action.url), seal);
    return { ...action, headers };
  });

async function lastPriority(em: EntityManager, profileId: string): Promise<number> {
  const flows = { profileId, kind: 'flow', deleted: false } as const;
  const [last] = await em.find(AnswererEntity, flows, { orderBy: { priority: 'desc' }, limit: 1 });
  return Math.max(0, last?.priority ?? 0);
}
