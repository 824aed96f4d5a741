import type { Sql } from '@messaging-gateway/service';

/** First moment of the month that is so many months after that of a time, UTC. */
function monthAfter(time: number, months: number): Date {
  const date = new Date(time);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}

const nameOf = (month: Date): string => `network_ids_${month.toISOString().slice(0, 7).replace('-', '_')}`;

/**
 * Makes the partitions of this month and the next. Rows that a clock that jumped has put among the others keep their
 * month from being made: then that month stays among the others, too.
 */
export async function makeMonths(sql: Sql, now: number): Promise<void> {
  for (const ahead of [0, 1]) {
    const [from, to] = [monthAfter(now, ahead), monthAfter(now, ahead + 1)];
    const strays = await sql.query(
      'select 1 from network_ids_other where accepted_at >= $1 and accepted_at < $2 limit 1',
      [from, to],
    );
    if (strays.length > 0) continue;
    await sql.query(
      `create table if not exists ${nameOf(from)} partition of network_ids
       for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
    );
  }
}

/** Removes what was accepted before a time: whole months, and row by row what is among the others. */
export async function dropMonths(sql: Sql, before: number): Promise<void> {
  const parts = await sql.query<{ name: string }>(
    `select part.relname as name from pg_inherits as link
       join pg_class as part on part.oid = link.inhrelid
     where link.inhparent = 'network_ids'::regclass and part.relname ~ '^network_ids_\\d{4}_\\d{2}$'`,
  );
  const kept = nameOf(monthAfter(before, 0));
  for (const { name } of parts) if (name < kept) await sql.query(`drop table ${name}`);
  await sql.query('delete from network_ids_other where accepted_at < $1', [new Date(before)]);
}
