import type { FlowAction, FlowCondition, FlowTrigger } from '@messaging-gateway/contracts';
import { definitionOf } from '../answerers/answerer-records.ts';
import type { AnswererRecord } from '../answerers/answerers-view.ts';

/** A flow as it is kept: defaults filled in, secrets sealed. */
export type FlowDefinition = {
  readonly trigger: FlowTrigger;
  readonly conditions: readonly FlowCondition[];
  readonly actions: readonly FlowAction[];
  readonly continue: boolean;
  readonly groups: boolean;
  readonly cooldownSeconds: number;
  /** Sealed. */
  readonly secret?: string;
};

/** @param row of a flow */
export const flowOf = (row: AnswererRecord): FlowDefinition => definitionOf(row) as FlowDefinition;

/** An action with the defaults of its fields. */
export function withDefaults(action: FlowAction): FlowAction {
  switch (action.type) {
    case 'ai_reply':
      return { ...action, knowledgeBase: action.knowledgeBase ?? false, history: action.history ?? 10 };
    case 'webhook':
      return { ...action, method: action.method ?? 'POST' };
    default:
      return action;
  }
}
