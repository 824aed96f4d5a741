import {
  addPartition,
  dropPartition,
  type PartitionedTable,
  type PartitionTools,
  type Sql,
} from '@messaging-gateway/service';
import { firstEntryAt } from './entry-id.ts';

/** Months made ahead: more than one, so that a service that stands still for a while finds them. */
const ahead = 3;
const form = /^audit_entries_(\d{4})_(\d\d)$/;
/** A month that has entries among the rest, because a clock jumped, stays there. */
const entries: PartitionedTable = { table: 'audit_entries', column: 'id', rest: 'audit_entries_rest' };

/** From the month of a moment, and so many after it. */
const beginOf = (time: number, after = 0): number =>
  Date.UTC(new Date(time).getUTCFullYear(), new Date(time).getUTCMonth() + after);
const nameOf = (begin: number): string =>
  `audit_entries_${new Date(begin).toISOString().slice(0, 7).replace('-', '_')}`;

/** Makes the partitions of this month and the next ones, and drops those that ended before `oldest`. */
export async function turnPartitions(tools: PartitionTools, now: number, oldest: number): Promise<void> {
  for (let month = 0; month <= ahead; month += 1) {
    const begin = beginOf(now, month);
    const [from, to] = [firstEntryAt(begin), firstEntryAt(beginOf(begin, 1))];
    await addPartition(tools, entries, { name: nameOf(begin), from, to, isAhead: begin > now });
  }
  for (const begin of await presentMonths(tools.sql))
    if (beginOf(begin, 1) <= oldest) await dropPartition(tools, nameOf(begin));
}

async function presentMonths(sql: Sql): Promise<number[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = to_regclass('audit_entries')`,
  );
  return rows.flatMap(({ name }) => {
    const [, year, month] = form.exec(name) ?? [];
    return year === undefined ? [] : [Date.UTC(Number(year), Number(month) - 1)];
  });
}
