import { Type } from 'typebox';
import { storedTypes } from '../../../content/index.ts';
import { operation } from '../../../contract.ts';
import { Id, Timestamp, closed, nullable, oneOf, page, pageQuery } from '../../../shapes.ts';
import { FlowActionShape } from './actions.ts';
import { Flow, FlowStats, common, errors, flowExample, flowParams } from './shapes.ts';

export const ListFlows = operation({
  ...common,
  name: 'ListFlows',
  method: 'GET',
  path: '/automation',
  access: 'automation:read',
  summary: 'List flows',
  means: 'Flows in the order in which they are asked. A key limited to some profiles sees those of these.',
  query: closed({
    ...pageQuery,
    profileId: Type.Optional({ ...Id, description: 'Those of this profile' }),
    enabled: Type.Optional(Type.Boolean({ description: 'Those that are, or are not' })),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name, in any case' })),
  }),
  answers: {
    200: {
      body: page(Flow),
      means: 'A page of flows.',
      example: { items: [flowExample], nextCursor: null, total: 1 },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const GetFlow = operation({
  ...common,
  name: 'GetFlow',
  method: 'GET',
  path: '/automation/:id',
  access: 'automation:read',
  summary: 'Get a flow',
  means: 'One flow, with its defaults.',
  params: flowParams,
  answers: { 200: { body: Flow, means: 'The flow.', example: flowExample } },
  errors,
});

export const GetFlowStats = operation({
  ...common,
  name: 'GetFlowStats',
  method: 'GET',
  path: '/automation/:id/stats',
  access: 'automation:read',
  summary: 'Statistics of a flow',
  means:
    'How often it was set off, and what came of it, exactly. What cooldown, limits or handover refused counts neither as succeeded nor as failed.',
  params: flowParams,
  answers: {
    200: {
      body: FlowStats,
      means: 'Counts.',
      example: { triggered: 12, succeeded: 11, failed: 1, lastTriggeredAt: '2026-01-01T10:00:00.000Z' },
    },
  },
  errors,
});

export const TestFlow = operation({
  ...common,
  name: 'TestFlow',
  method: 'POST',
  path: '/automation/:id/test',
  access: 'automation:read',
  audit: false,
  summary: 'Test a flow',
  means:
    'What the flow would do with such a message, enabled or not. Nothing is sent, nothing is kept, and neither cooldown nor limits count. ' +
    'With `from` the conditions are asked about that person, as the profile knows them; without, about a stranger.',
  params: flowParams,
  body: closed({
    message: Type.String({ maxLength: 65_536, description: 'Text or caption' }),
    from: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        format: 'person',
        description: 'Digits, `<digits>@c.us` or `<id>@lid`',
      }),
    ),
    type: Type.Optional(oneOf(storedTypes, { description: 'Of the message. Default: text' })),
    quoted: Type.Optional(Type.Boolean({ description: 'It answers another message. Default: false' })),
    newContact: Type.Optional(
      Type.Boolean({ description: 'It is the first of that person. Default: when `from` is no contact' }),
    ),
    at: Type.Optional({ ...Timestamp, description: 'When it is written. Default: now' }),
  }),
  answers: {
    200: {
      body: closed(
        {
          matched: Type.Boolean({ description: 'The trigger is set off, and all conditions hold' }),
          match: nullable(
            Type.String({
              description: 'What the trigger has met in the text, conditions or not; null: it is not set off',
            }),
          ),
          conditions: Type.Array(
            Type.Object(
              { type: Type.String(), passed: Type.Boolean({ description: 'It holds' }) },
              { additionalProperties: true, description: 'A condition as it is written, with its verdict' },
            ),
            { description: 'All conditions of the flow' },
          ),
          actions: Type.Array(FlowActionShape, {
            description: 'What would be done, placeholders filled; nothing when it does not match',
          }),
        },
        { title: 'FlowTest' },
      ),
      means: 'What would happen.',
      example: {
        matched: true,
        match: 'Price',
        conditions: [{ ...flowExample.conditions[0], passed: true }],
        actions: [{ type: 'send', message: { type: 'text', text: 'Hello Ada: https://shop.example' } }],
      },
    },
  },
  errors,
  example: { message: 'Price?', from: '4915112345678' },
});
