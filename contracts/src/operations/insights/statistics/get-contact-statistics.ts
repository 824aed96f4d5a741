import { operation } from '../../../contract.ts';
import { ContactStatistics, bucketsQuery } from './shapes.ts';

export const GetContactStatistics = operation({
  name: 'GetContactStatistics',
  owner: 'insights',
  method: 'GET',
  path: '/statistics/contacts',
  access: 'statistics:read',
  tag: 'Statistics',
  summary: 'Contact stats',
  means:
    'Contacts as they are now, with their tags; when they were made, by hours, days or weeks; and in how many chats somebody wrote. Of a profile: without ' +
    'the contacts of the whole organization.',
  query: bucketsQuery,
  answers: {
    200: {
      body: ContactStatistics,
      means: 'The numbers.',
      example: {
        total: 3,
        withTags: 1,
        withoutTags: 2,
        topTags: [{ tag: 'customer', count: 1 }],
        new: [{ period: '2026-01-01T00:00:00.000Z', count: 2 }],
        growth: [{ period: '2026-01-01T00:00:00.000Z', total: 3 }],
        active: 1,
      },
    },
  },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
