import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Running, Sql } from '@messaging-gateway/service';
import { dropMonths, makeMonths } from './network-id-months.ts';

/** Messages of late that are found without the database: their receipts follow within moments. */
const remembered = 20_000;
const tendEvery = 6 * 3_600_000;
const tendLock = `select pg_try_advisory_xact_lock(hashtextextended('months of network ids ' || current_schema(), 0)) as is_mine`;

/** Finds a message by what the network calls it. */
export interface NetworkIds extends Running {
  remember(profileId: string, networkMessageId: string, messageId: string): void;
  find(profileId: string, networkMessageId: string): Promise<string | undefined>;
}

/** @param window how long receipts are taken in after acceptance, milliseconds; older rows are removed */
export function networkIds(sql: Sql, clock: Clock, log: Logger, window: number): NetworkIds {
  const recent = new Map<string, string>();
  const keyOf = (profileId: string, networkMessageId: string): string => `${profileId} ${networkMessageId}`;
  let cancel = (): void => undefined;

  /** By one replica at a time; the others have nothing to wait for. */
  const alone = (work: (sql: Sql) => Promise<void>): Promise<void> =>
    sql.transaction(async (locked) => {
      const [row] = await locked.query<{ is_mine: boolean }>(tendLock);
      if (row?.is_mine === true) await work(locked);
    });
  const tend = async (): Promise<void> => {
    await alone((locked) => makeMonths(locked, clock.now()));
    await alone((locked) => dropMonths(locked, clock.now() - window));
  };
  const tendNow = (): void => {
    cancel = clock.at(clock.now() + tendEvery, tendNow);
    tend().catch((error: unknown) => log.warn('Months of network ids could not be tended', { reason: String(error) }));
  };

  return {
    remember: (profileId, networkMessageId, messageId) => {
      recent.set(keyOf(profileId, networkMessageId), messageId);
      if (recent.size > remembered) recent.delete(recent.keys().next().value as string);
    },
    find: async (profileId, networkMessageId) => {
      const known = recent.get(keyOf(profileId, networkMessageId));
      if (known !== undefined) return known;
      const [row] = await sql.query<{ message_id: string }>(
        'select message_id from network_ids where profile_id = $1 and network_message_id = $2',
        [profileId, networkMessageId],
      );
      return row?.message_id;
    },
    start: async () => {
      await tend();
      cancel = clock.at(clock.now() + tendEvery, tendNow);
    },
    stop: async () => cancel(),
  };
}
