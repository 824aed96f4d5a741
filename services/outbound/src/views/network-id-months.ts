import { addPartition, dropPartition, type PartitionedTable, type PartitionTools } from '@messaging-gateway/service';

/** First moment of the month that is so many months after that of a time, UTC. */
function monthAfter(time: number, months: number): Date {
  const date = new Date(time);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}

const nameOf = (month: Date): string => `network_ids_${month.toISOString().slice(0, 7).replace('-', '_')}`;

/** A month that has rows among the others, because a clock jumped, stays there. */
const networkIds: PartitionedTable = { table: 'network_ids', column: 'accepted_at', rest: 'network_ids_other' };

/** Makes the partitions of this month and the next. */
export async function makeMonths(tools: PartitionTools, now: number): Promise<void> {
  for (const ahead of [0, 1]) {
    const month = monthAfter(now, ahead);
    const [from, to] = [month.toISOString(), monthAfter(now, ahead + 1).toISOString()];
    await addPartition(tools, networkIds, { name: nameOf(month), from, to, isAhead: ahead > 0 });
  }
}

/** Removes what was accepted before a time: whole months, and row by row what is among the others. */
export async function dropMonths(tools: PartitionTools, before: number): Promise<void> {
  const parts = await tools.sql.query<{ name: string }>(
    `select part.relname as name from pg_inherits as link
       join pg_class as part on part.oid = link.inhrelid
     where link.inhparent = 'network_ids'::regclass and part.relname ~ '^network_ids_\\d{4}_\\d{2}$'`,
  );
  const kept = nameOf(monthAfter(before, 0));
  for (const { name } of parts) if (name < kept) await dropPartition(tools, name);
  await tools.sql.query('delete from network_ids_other where accepted_at < $1', [new Date(before)]);
}
