import type { Clock } from '@messaging-gateway/runtime';
import type { Running, Sql } from '@messaging-gateway/service';

/** Messages of late that are found without the database: their receipts follow within moments. */
const remembered = 20_000;
const sweepEvery = 6 * 3_600_000;
const sweepRows = 5000;

/** Finds a message by what the network calls it. */
export interface NetworkIds extends Running {
  remember(profileId: string, networkMessageId: string, messageId: string): void;
  find(profileId: string, networkMessageId: string): Promise<string | undefined>;
}

/** @param window how long receipts are taken in after acceptance, milliseconds; older rows are removed */
export function networkIds(sql: Sql, clock: Clock, window: number): NetworkIds {
  const recent = new Map<string, string>();
  const keyOf = (profileId: string, networkMessageId: string): string => `${profileId} ${networkMessageId}`;
  let cancel = (): void => undefined;

  const sweep = async (): Promise<void> => {
    const before = new Date(clock.now() - window);
    for (;;) {
      const gone = await sql.query(
        `delete from network_ids where ctid = any (array(select ctid from network_ids where accepted_at < $1 limit ${sweepRows})) returning 1`,
        [before],
      );
      if (gone.length < sweepRows) return;
    }
  };
  const sweepNow = (): void => {
    cancel = clock.at(clock.now() + sweepEvery, sweepNow);
    // The next sweep makes up for one that failed.
    sweep().catch(() => undefined);
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
      cancel = clock.at(clock.now() + 60_000, sweepNow);
    },
    stop: async () => cancel(),
  };
}
