import { turning, type Running, type ServiceTools } from '@messaging-gateway/service';
import { dropMonths, makeMonths } from './network-id-months.ts';

/** Messages of late that are found without the database: their receipts follow within moments. */
const remembered = 20_000;
const tendEvery = 6 * 3_600_000;

/** Finds a message by what the network calls it. */
export interface NetworkIds extends Running {
  remember(profileId: string, networkMessageId: string, messageId: string): void;
  find(profileId: string, networkMessageId: string): Promise<string | undefined>;
}

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'patiently' | 'clock' | 'log'>;

/** @param window how long receipts are taken in after acceptance, milliseconds; older rows are removed */
export function networkIds({ sql, patiently, clock, log }: Tools, window: number): NetworkIds {
  const recent = new Map<string, string>();
  const keyOf = (profileId: string, networkMessageId: string): string => `${profileId} ${networkMessageId}`;
  const months = turning({
    clock,
    everyMs: tendEvery,
    work: async (signal) => {
      await makeMonths({ sql, patiently, log, signal }, clock.now());
      await dropMonths({ sql, patiently, log, signal }, clock.now() - window);
    },
    onFault: (reason) => log.warn('Months of network ids could not be tended', { reason }),
  });

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
    start: months.start,
    stop: months.stop,
  };
}
