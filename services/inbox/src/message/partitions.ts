import {
  addPartition,
  every,
  type Job,
  type PartitionedTable,
  type PartitionRange,
  type PartitionTools,
  type ServiceTools,
} from '@messaging-gateway/service';
import { firstIdAt } from './message-id.ts';

/** Months made ahead: more than one, so that a service that stands still for a while finds them. */
const ahead = 3;
const messages: PartitionedTable = {
  table: 'messages',
  column: 'id',
  rest: 'messages_rest',
  storage: 'fillfactor = 85',
};

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'patiently' | 'clock' | 'log'>;

/**
 * Keeps partitions of `messages` by month ready. What belongs to no month that was made (history of past years) lies
 * in the partition for the rest.
 */
export const partitions = ({ clock, ...tools }: Tools): Job =>
  every('1h', 'partitions of messages', (signal) => makePartitions({ ...tools, signal }, clock.now()), {
    first: 'awaited',
  });

export async function makePartitions(tools: PartitionTools, now: number): Promise<void> {
  for (let month = 0; month <= ahead; month += 1) await addPartition(tools, messages, monthOf(now, month));
}

function monthOf(now: number, after: number): PartitionRange {
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() + after];
  const begin = Date.UTC(year, month);
  const name = `messages_${new Date(begin).toISOString().slice(0, 7).replace('-', '_')}`;
  return { name, from: firstIdAt(begin), to: firstIdAt(Date.UTC(year, month + 1)), isAhead: begin > now };
}
