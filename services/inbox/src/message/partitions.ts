import type { RotatedTable } from '@messaging-gateway/service';
import { firstIdAt } from './message-id.ts';

/**
 * `messages` by the month of their ids. What belongs to no month that was made (history of past years) lies in the
 * partition for the rest.
 */
export const messagesByMonth: RotatedTable = {
  table: 'messages',
  column: 'id',
  rest: 'messages_rest',
  storage: 'fillfactor = 85',
  by: 'month',
  ahead: 3,
  boundAt: firstIdAt,
};
