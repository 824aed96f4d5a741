import { view } from '@messaging-gateway/event-sourcing';
import { partitioned, type Job, type RotatedTable, type ServiceTools } from '@messaging-gateway/service';
import { isChange } from '../message/message-events.ts';
import { messageStream } from '../message/message.ts';

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
        'SELECT message_id FROM network_ids WHERE profile_id = $1 AND network_message_id = $2',
        [profileId, networkMessageId],
      );
      return row?.message_id;
    },
  };
}

export const networkIdsByMonth: RotatedTable = {
  table: 'network_ids',
  column: 'accepted_at',
  rest: 'network_ids_other',
  by: 'month',
  ahead: 1,
};

/**
 * Removes what is no longer needed: whole months, and row by row what is among the others.
 *
 * @param window how long receipts are taken in after acceptance, milliseconds
 */
export function networkIdMonths(tools: Tools, window: number): Job {
  const { sql, clock } = tools;
  return partitioned(tools, 'months of network ids', [{ ...networkIdsByMonth, keptMs: window }], {
    interval: '6h',
    afterwards: async () => {
      await sql.query('DELETE FROM network_ids_other WHERE accepted_at < $1', [new Date(clock.now() - window)]);
    },
  });
}

/** Names of messages on the network. Written once per message, never changed. Receipts of reactions and deletions tell nobody anything. */
export const networkIdsView = view({
  name: 'network_ids',
  of: messageStream,
  on: ['MessageAccepted'],
  rows: (events) =>
    events.flatMap(({ data: { type, profileId, networkMessageId, messageId, acceptedAt } }) =>
      isChange(type) ? [] : [{ profileId, networkMessageId, messageId, acceptedAt }],
    ),
  tables: ['network_ids'],
  sql: `
    INSERT INTO {schema}.network_ids (profile_id, network_message_id, message_id, accepted_at)
    SELECT (row->>'profileId')::uuid, row->>'networkMessageId', (row->>'messageId')::uuid, (row->>'acceptedAt')::timestamptz
    FROM {rows}
    ON CONFLICT DO NOTHING`,
});
