import { operation } from '../../../contract.ts';
import { BroadcastStatistics, periodQuery } from './shapes.ts';

export const GetBroadcastStatistics = operation({
  name: 'GetBroadcastStatistics',
  owner: 'insights',
  method: 'GET',
  path: '/statistics/broadcasts',
  access: 'statistics:read',
  tag: 'Statistics',
  summary: 'Broadcast stats',
  means:
    'Broadcasts that were made in a period, by their status, and what has become of their messages; `delivered` and `read` count further ones too, as in ' +
    'the stats of a broadcast.',
  query: periodQuery,
  answers: {
    200: {
      body: BroadcastStatistics,
      means: 'The numbers.',
      example: {
        total: 1,
        byStatus: { draft: 0, scheduled: 0, running: 0, paused: 0, completed: 1, cancelled: 0, failed: 0 },
        messages: { sent: 9, failed: 1, delivered: 8, read: 4 },
        rates: { sent: 0.9, failed: 0.1, delivered: 0.8, read: 0.4 },
      },
    },
  },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
