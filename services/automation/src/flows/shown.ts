import type { Flow } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import type { AnswererRecord } from '../answerers/answerers-view.ts';
import { flowOf } from './definition.ts';
import { withHiddenHeaders } from './headers.ts';

export type ShownFlow = Static<typeof Flow>;

/** A flow as it is answered: without secrets. */
export function shownFlow(row: AnswererRecord): ShownFlow {
  const { trigger, conditions, actions, secret, ...rest } = flowOf(row);
  const steps = actions.map(withHiddenHeaders);
  const [first, ...further] = steps;
  return {
    id: row.id,
    profileId: row.profileId ?? '',
    name: row.name,
    trigger,
    conditions: [...conditions],
    action: first !== undefined && further.length === 0 ? first : null,
    actions: steps,
    enabled: row.enabled,
    continue: rest.continue,
    groups: rest.groups,
    hasSecret: secret !== undefined,
    cooldownSeconds: rest.cooldownSeconds,
    priority: row.priority,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
