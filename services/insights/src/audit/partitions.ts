import type { Sql } from '@messaging-gateway/service';
import { firstEntryAt } from './entry-id.ts';

/** Months made ahead: more than one, so that a service that stands still for a while finds them. */
const ahead = 3;
const form = /^audit_entries_(\d{4})_(\d\d)$/;

/** From the month of a moment, and so many after it. */
const beginOf = (time: number, after = 0): number =>
  Date.UTC(new Date(time).getUTCFullYear(), new Date(time).getUTCMonth() + after);
const nameOf = (begin: number): string =>
  `audit_entries_${new Date(begin).toISOString().slice(0, 7).replace('-', '_')}`;

/** Makes the partitions of this month and the next ones, and drops those that ended before `oldest`. */
export async function turnPartitions(sql: Sql, now: number, oldest: number): Promise<void> {
  const present = await presentMonths(sql);
  for (let month = 0; month <= ahead; month += 1) {
    const begin = beginOf(now, month);
    if (!present.includes(begin)) await add(sql, begin);
  }
  for (const begin of present)
    if (beginOf(begin, 1) <= oldest) await sql.query(`DROP TABLE IF EXISTS ${nameOf(begin)}`);
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

/** A month that has entries among the rest, because a clock jumped, stays there. */
async function add(sql: Sql, begin: number): Promise<void> {
  const bounds = [firstEntryAt(begin), firstEntryAt(beginOf(begin, 1))] as const;
  await sql.transaction(async (inside) => {
    // Replicas that start together take turns.
    await inside.query('LOCK TABLE audit_entries IN SHARE UPDATE EXCLUSIVE MODE');
    const elsewhere = 'SELECT FROM audit_entries_rest WHERE id >= $1 AND id < $2 LIMIT 1';
    if ((await inside.query(elsewhere, bounds)).length > 0) return;
    // Name and bounds are made here of digits; a statement that makes a table takes no parameters.
    await inside.query(
      `CREATE TABLE IF NOT EXISTS ${nameOf(begin)} PARTITION OF audit_entries FOR VALUES FROM ('${bounds[0]}') TO ('${bounds[1]}')`,
    );
  });
}
