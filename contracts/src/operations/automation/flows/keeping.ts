import { Type } from 'typebox';
import { lastingLimits, operation } from '../../../contract.ts';
import { Id, closed, nullable } from '../../../shapes.ts';
import { Flow, FlowSecret, common, errors, flowExample, flowFields, flowParams } from './shapes.ts';

const { name, trigger, conditions, actions, cooldownSeconds } = flowExample;

export const CreateFlow = operation({
  ...common,
  name: 'CreateFlow',
  method: 'POST',
  path: '/automation',
  access: 'automation:create',
  refusesKeysLimitedIn: lastingLimits,
  summary: 'Create a flow',
  means:
    'When the trigger is set off and all conditions hold, the steps are carried out in their order: one step as `action`, or up to 20 ' +
    'as `actions`. Of the flows of a profile the one with the smallest `priority` is asked first, and the first that answers is the only ' +
    'one, but for `continue`; a new flow is asked last. Without further fields it is enabled, answers in private chats only, and as ' +
    'often as it is asked. What is wrong with the trigger, a condition or a step is said now, naming the field: a pattern that RE2 does ' +
    'not take or that is too large, a cron that never fires, an unknown placeholder, a URL that is refused, a template that the profile ' +
    'may not use. A flow keeps no media: give them by `url`, or by a template, which does. A profile has at most 200 flows.',
  body: closed({ profileId: Id, ...flowFields, secret: Type.Optional(FlowSecret) }),
  answers: { 201: { body: Flow, means: 'The flow.', example: flowExample } },
  errors: [...errors, 'QUOTA_REACHED'],
  example: { profileId: flowExample.profileId, name, trigger, conditions, actions, cooldownSeconds },
});

export const UpdateFlow = operation({
  ...common,
  name: 'UpdateFlow',
  method: 'PUT',
  path: '/automation/:id',
  access: 'automation:update',
  refusesKeysLimitedIn: lastingLimits,
  summary: 'Change a flow',
  means:
    'Changes the fields given; `trigger`, `conditions` and `actions` are replaced as a whole, and `secret: null` takes it away. A flow ' +
    'stays with its profile. Runs that have begun go on with the steps that it had.',
  params: flowParams,
  body: closed({
    ...flowFields,
    name: Type.Optional(flowFields.name),
    trigger: Type.Optional(flowFields.trigger),
    secret: Type.Optional(nullable(FlowSecret)),
  }),
  answers: { 200: { body: Flow, means: 'The flow as it is now.', example: flowExample } },
  errors,
  example: { name: 'Prices and offers' },
});

export const DeleteFlow = operation({
  ...common,
  name: 'DeleteFlow',
  method: 'DELETE',
  path: '/automation/:id',
  access: 'automation:delete',
  summary: 'Delete a flow',
  means: 'Its runs that wait are cancelled.',
  params: flowParams,
  answers: { 204: { means: 'The flow is gone.' } },
  errors,
});

export const ToggleFlow = operation({
  ...common,
  name: 'ToggleFlow',
  method: 'PUT',
  path: '/automation/:id/toggle',
  access: 'automation:update',
  refusesKeysLimitedIn: lastingLimits,
  audit: 'flow.toggle',
  summary: 'Switch a flow on or off',
  means: 'Takes no body: a flow that was enabled is not any more, and the other way round. Runs that have begun go on.',
  params: flowParams,
  answers: { 200: { body: Flow, means: 'The flow as it is now.', example: flowExample } },
  errors,
});

export const ReorderFlows = operation({
  ...common,
  name: 'ReorderFlows',
  method: 'POST',
  path: '/automation/reorder',
  access: 'automation:update',
  audit: { action: 'flow.reorder', resourceParameter: null },
  summary: 'Reorder flows',
  means:
    'Numbers the flows that are given from 1, in this order, before all others of their profiles, which keep their order behind them. ' +
    '404 when one of them is unknown: nothing is changed then.',
  body: closed({
    order: Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true, description: 'Ids of flows' }),
  }),
  answers: {
    200: {
      body: closed(
        { order: Type.Array(Id, { description: 'Ids of all flows of these profiles, in the order as it is now' }) },
        { title: 'FlowOrder' },
      ),
      means: 'The order as it is now.',
      example: { order: [flowExample.id] },
    },
  },
  errors,
  example: { order: [flowExample.id] },
});
