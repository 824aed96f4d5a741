import { operation } from '../../../contract.ts';
import { ResponseTimeStatistics, responseTimeQuery } from './shapes.ts';

export const GetResponseTime = operation({
  name: 'GetResponseTime',
  owner: 'insights',
  method: 'GET',
  path: '/statistics/response-time',
  access: 'statistics:read',
  tag: 'Statistics',
  summary: 'Response-time stats',
  means:
    'How long people waited for an answer, measured: from the first message of a private chat that nobody had answered to the next one that a person or a ' +
    'client sent there. Broadcasts, bulk and scheduled messages and one-time codes are no answers. An answer belongs to the time at which it was given.',
  query: responseTimeQuery,
  answers: {
    200: {
      body: ResponseTimeStatistics,
      means: 'The numbers.',
      example: {
        count: 2,
        average: 60,
        median: 60,
        p95: 87,
        byHour: [null, null, null, null, null, null, null, null, 60, ...Array.from({ length: 15 }, () => null)],
        profiles: [{ profileId: '0198c0de-0000-7000-8000-000000000001', count: 2, average: 60, median: 60, p95: 87 }],
      },
    },
  },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
