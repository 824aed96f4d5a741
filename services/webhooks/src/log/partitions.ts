import type { Sql } from '@messaging-gateway/service';

/** Tables that are partitioned by `occurred_at`, a partition for each day (UTC); other days go into `<table>_other`. */
const tables = ['event_log', 'deliveries'] as const;
const dayMs = 86_400_000;
/** Days that have their partition ahead. */
const daysAhead = 2;

const dayOf = (time: number): number => Math.floor(time / dayMs);
const startOf = (day: number): string => new Date(day * dayMs).toISOString();
const nameOf = (table: string, day: number): string => `${table}_${startOf(day).slice(0, 10).replaceAll('-', '')}`;

/** Makes the partitions of today and the next days, and drops those whose days are over for longer than is kept. */
export async function turnPartitions(sql: Sql, now: number, keptMs: number): Promise<void> {
  for (const table of tables) {
    for (let day = dayOf(now); day <= dayOf(now) + daysAhead; day++) await addPartition(sql, table, day);
    for (const day of await daysWithPartition(sql, table)) {
      if ((day + 1) * dayMs <= now - keptMs) await sql.query(`DROP TABLE IF EXISTS ${nameOf(table, day)}`);
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

/**
 * Adds the partition of a day ahead of it. A day that has rows elsewhere, because a clock jumped, stays there: rows that
 * moved could be missed by a reader that looked up the partitions before.
 */
async function addPartition(sql: Sql, table: string, day: number): Promise<void> {
  if ((await daysWithPartition(sql, table)).includes(day)) return;
  const [from, to] = [startOf(day), startOf(day + 1)];
  await sql.transaction(async (inside) => {
    await inside.query(`LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE`);
    if ((await daysWithPartition(inside, table)).includes(day)) return; // another replica was faster
    await inside.query(`LOCK TABLE ${table}_other IN ACCESS EXCLUSIVE MODE`);
    const elsewhere = `SELECT FROM ${table}_other WHERE occurred_at >= $1 AND occurred_at < $2 LIMIT 1`;
    if ((await inside.query(elsewhere, [from, to])).length > 0) return;
    const name = nameOf(table, day);
    await inside.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`);
    await inside.query(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
  });
}
