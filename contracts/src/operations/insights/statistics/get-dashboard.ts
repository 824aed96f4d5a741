import { operation } from '../../../contract.ts';
import { StatisticsDashboard, wholeTimeQuery } from './shapes.ts';

export const GetDashboard = operation({
  name: 'GetDashboard',
  owner: 'insights',
  method: 'GET',
  path: '/statistics/dashboard',
  access: 'statistics:read',
  tag: 'Statistics',
  summary: 'Dashboard summary',
  means:
    'How many there are of everything, at all times; `today` since midnight in the time zone. Messages: every one that came in or went out since this ' +
    'was counted, without the history that a phone hands over; kept for STATISTICS_RETENTION_DAYS.',
  query: wholeTimeQuery,
  answers: {
    200: {
      body: StatisticsDashboard,
      means: 'The numbers.',
      example: {
        profiles: { total: 2, connected: 1 },
        messages: { total: 30, today: 5, incoming: 10, outgoing: 20 },
        contacts: { total: 7 },
        broadcasts: { total: 1, running: 0 },
      },
    },
  },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
