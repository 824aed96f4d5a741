import type { Clock } from '@messaging-gateway/runtime';
import { every, type Interval, type Job } from './jobs.ts';
import { addPartition, dropPartition, type PartitionedTable, type PartitionTools } from './partitions.ts';

/**
 * A table with a partition for each month or day (UTC), called after its beginning: `<table>_2026_11`,
 * `<table>_20261123`.
 */
export interface RotatedTable extends PartitionedTable {
  readonly by: 'month' | 'day';
  /** Partitions made ahead: a service that stands still for a while finds them. */
  readonly ahead: number;
  /** The least value of the column that belongs to a moment, milliseconds since 1970. Default: the moment in ISO 8601. */
  readonly boundAt?: (time: number) => string;
  /** How long a partition stays after its end, milliseconds; it goes with all that is in it. Default: for ever. */
  readonly keptMs?: number;
  /** Before a partition goes. */
  readonly beforeDrop?: (name: string) => Promise<void>;
}

export interface RotationOptions {
  /** Default `'1h'`. */
  readonly interval?: Interval;
  /** Work after each rotation: removes, row by row, what has no partition of its own. */
  readonly afterwards?: (signal: AbortSignal) => Promise<void>;
}

/**
 * A job that makes partitions ahead and drops those that are no longer kept. A month or day that has rows among the rest,
 * because a clock jumped, stays there. Replicas may do it at the same time.
 */
export const partitioned = (
  { clock, ...tools }: Omit<PartitionTools, 'signal'> & { readonly clock: Clock },
  name: string,
  tables: readonly RotatedTable[],
  { interval = '1h', afterwards }: RotationOptions = {},
): Job =>
  every(
    interval,
    name,
    async (signal) => {
      for (const table of tables) await rotate({ ...tools, signal }, table, clock.now());
      await afterwards?.(signal);
    },
    { first: 'awaited' },
  );

/** Makes the partitions of a moment and of those ahead, and drops what is no longer kept then. */
export async function rotate(tools: PartitionTools, rotated: RotatedTable, now: number): Promise<void> {
  const { table, ahead, boundAt = isoOf, keptMs = Infinity, beforeDrop } = rotated;
  const { begin, name } = spans[rotated.by];
  for (let after = 0; after <= ahead; after += 1) {
    const [from, to] = [begin(now, after), begin(now, after + 1)];
    const range = { name: name(table, from), from: boundAt(from), to: boundAt(to), isAhead: from > now };
    await addPartition(tools, rotated, range);
  }
  for (const at of await beginnings(tools, rotated)) {
    if (begin(at, 1) > now - keptMs) continue;
    await beforeDrop?.(name(table, at));
    await dropPartition(tools, name(table, at));
  }
}

const dayMs = 86_400_000;
const isoOf = (time: number): string => new Date(time).toISOString();

/** When the span of a moment begins, or one that is so many after it; and what its partition is called. */
const spans = {
  month: {
    begin: (time: number, after: number) =>
      Date.UTC(new Date(time).getUTCFullYear(), new Date(time).getUTCMonth() + after),
    name: (table: string, begin: number) => `${table}_${isoOf(begin).slice(0, 7).replace('-', '_')}`,
  },
  day: {
    begin: (time: number, after: number) => (Math.floor(time / dayMs) + after) * dayMs,
    name: (table: string, begin: number) => `${table}_${isoOf(begin).slice(0, 10).replaceAll('-', '')}`,
  },
};
const forms = { month: /_(\d{4})_(\d\d)$/, day: /_(\d{4})(\d\d)(\d\d)$/ };

async function beginnings({ sql }: PartitionTools, { table, rest, by }: RotatedTable): Promise<number[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = to_regclass($1) AND c.relname <> $2`,
    [table, rest],
  );
  return rows.flatMap(({ name }) => {
    const [, year, month, day = '1'] = forms[by].exec(name) ?? [];
    return year === undefined ? [] : [Date.UTC(Number(year), Number(month) - 1, Number(day))];
  });
}
