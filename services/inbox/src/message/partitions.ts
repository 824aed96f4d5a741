import type { Logger } from '@messaging-gateway/runtime';
import type { Running, ServiceTools } from '@messaging-gateway/service';
import { firstIdAt } from './message-id.ts';

const day = 86_400_000;
/** Months made ahead: more than one, so that a service that stands still for a while finds them. */
const ahead = 3;

/**
 * Keeps partitions of `messages` by month ready. What belongs to no month that was made (history of past years) lies
 * in the partition for the rest.
 */
export function partitions({ sql, clock, log }: Pick<ServiceTools<unknown>, 'sql' | 'clock' | 'log'>): Running {
  let cancel = (): void => undefined;
  const tick = async (): Promise<void> => {
    try {
      await makePartitions({ sql, log }, clock.now());
    } finally {
      cancel = clock.at(
        clock.now() + day,
        () => void tick().catch((error: Error) => log.error('No new partitions', { reason: error.message })),
      );
    }
  };
  return {
    start: tick,
    stop: async () => cancel(),
  };
}

async function makePartitions(
  { sql, log }: { sql: ServiceTools<unknown>['sql']; log: Logger },
  now: number,
): Promise<void> {
  const from = new Date(now);
  for (let month = 0; month <= ahead; month += 1) {
    const begin = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + month);
    const end = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + month + 1);
    const name = `messages_${new Date(begin).toISOString().slice(0, 7).replace('-', '_')}`;
    const present = await sql.query('SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1', [
      name,
    ]);
    if (present.length > 0) continue;
    const inRest = await sql.query('SELECT 1 FROM messages_rest WHERE id >= $1 AND id < $2 LIMIT 1', [
      firstIdAt(begin),
      firstIdAt(end),
    ]);
    if (inRest.length > 0) {
      log.warn('Messages of a month stay among the rest', { month: name });
      continue;
    }
    await sql.transaction(async (inside) => {
      // Replicas that start together take turns: IF NOT EXISTS alone lets both begin.
      await inside.query('LOCK TABLE messages IN SHARE UPDATE EXCLUSIVE MODE');
      // Name and bounds are made here of digits; a statement that makes a table takes no parameters.
      await inside.query(
        `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF messages
           FOR VALUES FROM ('${firstIdAt(begin)}') TO ('${firstIdAt(end)}') WITH (fillfactor = 85)`,
      );
    });
  }
}
