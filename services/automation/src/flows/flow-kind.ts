import type { FlowAction } from '@messaging-gateway/contracts';
import type { Action, KindOfAnswerer } from '../answerers/compiled.ts';
import { compileConditions } from './conditions/compile.ts';
import type { FlowDefinition } from './definition.ts';
import { compileTrigger } from './triggers/compile.ts';

/** Flows: a trigger, conditions, and steps. Steps that ask URLs have the secret of their flow with them, sealed as its headers are. */
export const flowKind: KindOfAnswerer<FlowDefinition> = {
  kind: 'flow',
  compile: ({ trigger, conditions, actions, continue: continues, groups, cooldownSeconds, secret }) => ({
    groups,
    continues,
    cooldownSeconds,
    actions: actions.map((action) => withSecret(action, secret)),
    trigger: compileTrigger(trigger),
    conditions: compileConditions(conditions),
  }),
};

const withSecret = (action: FlowAction, secret: string | undefined): Action =>
  (action.type === 'webhook' || action.type === 'ai_reply') && secret !== undefined
    ? { ...action, secret }
    : { ...action };
