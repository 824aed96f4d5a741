import { operation } from '../../../contract.ts';
import { AutomationStatistics, periodQuery } from './shapes.ts';

export const GetAutomationStatistics = operation({
  name: 'GetAutomationStatistics',
  owner: 'insights',
  method: 'GET',
  path: '/statistics/automations',
  access: 'statistics:read',
  tag: 'Statistics',
  summary: 'Automation stats',
  means:
    'Flows as they are now, and how often they matched in a period: by quarters of an hour, the one included that `from` lies in.',
  query: periodQuery,
  answers: {
    200: {
      body: AutomationStatistics,
      means: 'The numbers.',
      example: {
        total: 2,
        enabled: 1,
        triggered: 10,
        succeeded: 9,
        failed: 1,
        top: [{ id: '0198c0de-0000-7000-8000-000000000001', name: 'Opening hours', triggered: 10 }],
      },
    },
  },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
