import { storedTypes } from '../../../content/index.ts';
import { operation } from '../../../contract.ts';
import { messageStatuses } from '../../../shapes.ts';
import { MessageStatistics, periodQuery } from './shapes.ts';

/** No message of each of some words. */
const none = <const Words extends readonly string[]>(words: Words) =>
  Object.fromEntries(words.map((word) => [word, 0])) as Record<Words[number], number>;

export const GetMessageStatistics = operation({
  name: 'GetMessageStatistics',
  owner: 'insights',
  method: 'GET',
  path: '/statistics/messages',
  access: 'statistics:read',
  tag: 'Statistics',
  summary: 'Message totals',
  means:
    'Messages of a period, by the time at which they came in or were accepted. Those that failed count too, under their status. What is deleted here still ' +
    'counts; what is erased does not.',
  query: periodQuery,
  answers: {
    200: {
      body: MessageStatistics,
      means: 'The numbers.',
      example: {
        total: 3,
        byDirection: { incoming: 1, outgoing: 2 },
        byType: { ...none(storedTypes), text: 3 },
        byStatus: { ...none(messageStatuses), received: 1, delivered: 2 },
      },
    },
  },
  errors: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
