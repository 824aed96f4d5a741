import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Count, Failure, Id, Timestamp, closed, nullable, oneOf, page, pageQuery } from '../../shapes.ts';

const RunStatus = oneOf(['running', 'waiting', 'completed', 'failed', 'cancelled', 'refused'], {
  title: 'AutomationRunStatus',
});

const Step = closed(
  {
    index: { ...Count, description: 'Place of the action, from 0' },
    type: Type.String({ description: 'Type of the action' }),
    status: oneOf(['pending', 'done', 'failed', 'refused']),
    messageId: Type.Optional({ ...Id, description: 'The message that it sent, the first of several' }),
    error: Type.Optional(Failure),
    ignored: Type.Optional(
      Type.Array(Type.String(), {
        description: 'What a bot asked for and no chat can do, such as `redirect` or `scriptToExecute`',
      }),
    ),
    startedAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
  },
  { title: 'AutomationStep' },
);

const fields = {
  id: Id,
  flowId: Id,
  conversationId: Id,
  messageId: nullable({ ...Id, description: 'The message that set it off; null in a scheduled run' }),
  status: RunStatus,
  reason: nullable(
    oneOf(['cooldown', 'rate_limited', 'same_text', 'handover', 'muted', 'daily_limit', 'deleted', 'superseded']),
  ),
  message: nullable(Type.String({ description: 'Text or caption that set it off; null without `message:read`' })),
  match: nullable(Type.String({ description: 'What the trigger met; null without `message:read`' })),
  startedAt: Timestamp,
  endedAt: nullable(Timestamp),
};

const RunListed = closed(fields, { title: 'AutomationRunListed' });
export const AutomationRun = closed(
  { ...fields, steps: Type.Array(Step, { description: 'What became of each action' }) },
  { title: 'AutomationRun' },
);

const example = {
  id: '0198c0de-0000-5000-8000-000000000002',
  flowId: '0198c0de-0000-7000-8000-000000000001',
  conversationId: '0198c0de-0000-5000-8000-000000000003',
  messageId: '0198c0de-0000-5000-8000-000000000005',
  status: 'completed',
  reason: null,
  message: 'What is the price?',
  match: 'price',
  startedAt: '2026-01-01T10:00:00.000Z',
  endedAt: '2026-01-01T10:00:01.000Z',
};

const common = { owner: 'automation', access: 'automation:read', tag: 'Automation' } as const;

export const ListAutomationRuns = operation({
  ...common,
  name: 'ListAutomationRuns',
  method: 'GET',
  path: '/automation/:id/runs',
  summary: 'List the runs of a flow',
  means:
    'Each time that the flow matched, the newest first, also those that were held back (`refused`, with the reason). Kept for ' +
    '`EVENT_RETENTION_DAYS` after they ended. Those of Typebot are listed by the id that `POST /automation/evaluate` names.',
  params: closed({ id: Id }),
  query: closed({ ...pageQuery, status: Type.Optional(RunStatus) }),
  answers: {
    200: { body: page(RunListed), means: 'A page of runs.', example: { items: [example], nextCursor: null } },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});

export const GetAutomationRun = operation({
  ...common,
  name: 'GetAutomationRun',
  method: 'GET',
  path: '/automation/runs/:id',
  summary: 'Get a run with its steps',
  means: 'What set it off, and what became of each step.',
  params: closed({ id: Id }),
  answers: {
    200: {
      body: AutomationRun,
      means: 'The run.',
      example: {
        ...example,
        steps: [
          {
            index: 0,
            type: 'send',
            status: 'done',
            messageId: '0198c0de-0000-5000-8000-000000000004',
            startedAt: '2026-01-01T10:00:00.000Z',
            endedAt: '2026-01-01T10:00:00.100Z',
          },
        ],
      },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
