import { operation } from '../../../contract.ts';
import { MessageTrend, bucketsQuery } from './shapes.ts';

export const GetMessageTrend = operation({
  name: 'GetMessageTrend',
  owner: 'insights',
  method: 'GET',
  path: '/statistics/messages/trend',
  access: 'statistics:read',
  tag: 'Statistics',
  summary: 'Volume trend',
  means:
    'Messages of a period by hours, days or weeks, empty ones included. The first bucket is the one that `from` lies in, and counts from there; together ' +
    'they are the `total` of the same period.',
  query: bucketsQuery,
  answers: {
    200: {
      body: MessageTrend,
      means: 'The numbers.',
      example: { items: [{ period: '2026-01-01T00:00:00.000Z', incoming: 1, outgoing: 2 }] },
    },
  },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
