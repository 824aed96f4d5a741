import { type DataOf, type EventEnvelope, SessionReceipt } from '@messaging-gateway/contracts';
import { view } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import {
  feature,
  type Job,
  partitioned,
  reaction,
  type RotatedTable,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { OutboundSettings } from '../config.ts';
import { lanes } from '../lanes/feature.ts';
import type { MessageJournal, Occasion } from '../lanes/journal.ts';
import type { Lanes } from '../lanes/lanes.ts';
import type { Owners } from '../lanes/owners.ts';
import { isChange, messageStream } from '../message/message.ts';

/** A receipt may wait so long for what else is written, milliseconds. */
const patienceMs = 25;

type Receipt = DataOf<typeof SessionReceipt>;

/** Takes in how far the network says a message has come. Receipts of messages written on the phone are not ours. */
function recordReceipts({
  networkIds,
  journal,
  lanes,
  owners,
  clock,
}: {
  networkIds: NetworkIds;
  journal: MessageJournal;
  lanes: Lanes;
  owners: Owners;
  clock: Clock;
}) {
  return async ({ profileId, networkMessageId, status, at }: Receipt, event: EventEnvelope): Promise<void> => {
    const messageId = await networkIds.find(profileId, networkMessageId);
    if (messageId === undefined) return;
    const { organizationId, requestId, traceparent, id } = event;
    const occasion: Occasion = {
      messageId,
      organizationId,
      profileId,
      actor: 'service:sessions',
      cause: id,
      ...(requestId !== undefined && { requestId }),
      ...(traceparent !== undefined && { traceparent }),
    };
    const command = { type: 'RecordReceipt', status, at: Math.min(Date.parse(at), clock.now()) } as const;
    try {
      await journal.record({ ...occasion, patienceMs }, { ...command, confirms: false });
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'CONFLICT')) throw error;
      // It overtook the acknowledgement: then the lane changes, and the guard is asked.
      const { outcome } = await journal.record(occasion, { ...command, confirms: true });
      if (outcome === 'appended' && lanes.inMemory(profileId) === undefined)
        owners.mention({ organizationId, profileId, settledMessageId: messageId });
    }
  };
}

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
const networkIdsView = view({
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

const dayMs = 86_400_000;

/** How far the network says that messages have come, found by what it calls them. */
export const receipts = feature({
  name: 'receipts',
  needs: { lanes },
  views: [networkIdsView],
  connect: (tools: ServiceTools<OutboundSettings>, { lanes: { journal, lanes: all, owners } }) => {
    const ids = networkIds(tools);
    journal.on(['MessageAccepted'], ({ data: { type, profileId, networkMessageId, messageId } }) => {
      if (!isChange(type)) ids.remember(profileId, networkMessageId, messageId);
    });
    return {
      hears: [
        reaction(SessionReceipt, recordReceipts({ networkIds: ids, journal, lanes: all, owners, clock: tools.clock })),
      ],
      jobs: [networkIdMonths(tools, tools.settings.receiptWindowDays * dayMs)],
    };
  },
});
