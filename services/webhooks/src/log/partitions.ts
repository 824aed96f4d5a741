import { addPartition, dropPartition, type PartitionTools, type Sql } from '@messaging-gateway/service';
import { noteDropped } from './removing.ts';

/** Tables that are partitioned by `occurred_at`, a partition for each day (UTC); other days go into `<table>_other`. */
const tables = ['event_log', 'deliveries'] as const;
const dayMs = 86_400_000;
/** Days that have their partition ahead. */
const daysAhead = 2;

const dayOf = (time: number): number => Math.floor(time / dayMs);
const startOf = (day: number): string => new Date(day * dayMs).toISOString();
const nameOf = (table: string, day: number): string => `${table}_${startOf(day).slice(0, 10).replaceAll('-', '')}`;

/**
 * Makes the partitions of today and the next days, and drops those whose days are over for longer than is kept. A day
 * that has rows elsewhere, because a clock jumped, stays there: rows that moved could be missed by a reader that looked up
 * the partitions before.
 */
export async function turnPartitions(tools: PartitionTools, now: number, keptMs: number): Promise<void> {
  for (const table of tables) {
    const partitioned = { table, column: 'occurred_at', rest: `${table}_other` };
    for (let day = dayOf(now); day <= dayOf(now) + daysAhead; day++) {
      const [from, to] = [startOf(day), startOf(day + 1)];
      await addPartition(tools, partitioned, { name: nameOf(table, day), from, to, isAhead: day > dayOf(now) });
    }
    for (const day of await daysWithPartition(tools.sql, table)) {
      if ((day + 1) * dayMs > now - keptMs) continue;
      // Before it goes: a reader must not find a gap that nobody told of.
      if (table === 'event_log') await noteDropped(tools.sql, nameOf(table, day));
      await dropPartition(tools, nameOf(table, day));
    }
  }
}

async function daysWithPartition(sql: Sql, table: string): Promise<number[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = to_regclass($1) AND c.relname <> $1 || '_other'`,
    [table],
  );
  return rows.map(({ name }) => dayOf(Date.parse(name.slice(-8).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'))));
}
