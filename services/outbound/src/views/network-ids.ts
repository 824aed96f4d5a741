import { every, type Job, type ServiceTools } from '@messaging-gateway/service';
import { dropMonths, makeMonths } from './network-id-months.ts';

/** Messages of late that are found without the database: their receipts follow within moments. */
const remembered = 20_000;

/** Finds a message by what the network calls it. */
export interface NetworkIds {
  remember(profileId: string, networkMessageId: string, messageId: string): void;
  find(profileId: string, networkMessageId: string): Promise<string | undefined>;
}

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'patiently' | 'clock' | 'log'>;

export function networkIds({ sql }: Pick<Tools, 'sql'>): NetworkIds {
  const recent = new Map<string, string>();
  const keyOf = (profileId: string, networkMessageId: string): string => `${profileId} ${networkMessageId}`;

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
  };
}

/** @param window how long receipts are taken in after acceptance, milliseconds; older rows are removed */
export const networkIdMonths = ({ sql, patiently, clock, log }: Tools, window: number): Job =>
  every(
    '6h',
    'months of network ids',
    async (signal) => {
      await makeMonths({ sql, patiently, log, signal }, clock.now());
      await dropMonths({ sql, patiently, log, signal }, clock.now() - window);
    },
    { first: 'awaited' },
  );
