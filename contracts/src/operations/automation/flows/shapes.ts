import { Type } from 'typebox';
import { Count, Id, Timestamp, closed, nullable } from '../../../shapes.ts';
import { FlowActionShape } from './actions.ts';
import { FlowConditionShape } from './conditions.ts';
import { FlowTriggerShape } from './triggers.ts';

export type { FlowAction, FlowMessageOf } from './actions.ts';
export { standardToolNames, type OwnTool } from './own-tools.ts';
export type { FlowCondition } from './conditions.ts';
export type { FlowTrigger } from './triggers.ts';

const conditions = Type.Array(FlowConditionShape, { maxItems: 10, description: 'All must hold' });
const actions = Type.Array(FlowActionShape, { minItems: 1, maxItems: 20, description: 'Steps, in their order' });
const continues = Type.Boolean({ description: 'Others may answer the same message, too' });
const groups = Type.Boolean({ description: 'It answers in groups, too' });
const cooldownSeconds = Type.Integer({
  minimum: 0,
  maximum: 86_400,
  description: 'For so long it answers the same person no second time',
});
const priority = Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The smaller, the earlier it is asked' });

/** Fields of a flow in requests; without defaults, so that a change may leave fields out. */
export const flowFields = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: String.raw`\S` }),
  trigger: FlowTriggerShape,
  conditions: Type.Optional(conditions),
  action: Type.Optional(FlowActionShape),
  actions: Type.Optional(actions),
  enabled: Type.Optional(Type.Boolean()),
  continue: Type.Optional(continues),
  groups: Type.Optional(groups),
  cooldownSeconds: Type.Optional(cooldownSeconds),
  priority: Type.Optional(priority),
};

export const FlowSecret = Type.String({
  minLength: 1,
  maxLength: 512,
  description:
    'Signs what `webhook` steps and `ownTools` send. With the prefix `whsec_` the rest is base64. Never shown',
});

export const Flow = closed(
  {
    id: Id,
    profileId: Id,
    name: Type.String(),
    trigger: FlowTriggerShape,
    conditions,
    action: { ...nullable(FlowActionShape), description: 'The only step; null when there are several' },
    actions,
    enabled: Type.Boolean(),
    continue: continues,
    groups,
    hasSecret: Type.Boolean(),
    cooldownSeconds,
    priority,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Flow' },
);

export const FlowStats = closed(
  {
    triggered: { ...Count, description: 'How often it was set off' },
    succeeded: { ...Count, description: 'Runs of which all steps were done' },
    failed: { ...Count, description: 'Runs of which a step failed' },
    lastTriggeredAt: { ...nullable(Timestamp), description: 'Null: never' },
  },
  { title: 'FlowStats' },
);

export const flowParams = closed({ id: Id });

export const flowExample = {
  id: '0198c0de-0000-7000-8000-00000000000f',
  profileId: '0198c0de-0000-7000-8000-000000000001',
  name: 'Prices',
  trigger: { type: 'keyword', value: ['price', 'how much'] },
  conditions: [{ type: 'time', timezone: 'Asia/Jakarta', days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }],
  action: null,
  actions: [
    { type: 'send', message: { type: 'text', text: 'Hello {{name|friend}}: {{link}}', link: 'https://shop.example' } },
    { type: 'add_tag', value: 'asked-for-prices' },
  ],
  enabled: true,
  continue: false,
  groups: false,
  hasSecret: false,
  cooldownSeconds: 3600,
  priority: 1,
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-01T10:00:00.000Z',
};

export const common = { owner: 'automation', tag: 'Automation' } as const;
export const errors = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const;
