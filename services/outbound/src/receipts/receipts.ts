import type { DataOf, EventEnvelope, SessionReceipt } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { Lanes } from '../lanes/lanes.ts';
import type { MessageJournal, Occasion } from '../lanes/journal.ts';
import type { Owners } from '../lanes/owners.ts';
import type { NetworkIds } from './network-ids.ts';

/** A receipt may wait so long for what else is written, milliseconds. */
const patienceMs = 25;

type Receipt = DataOf<typeof SessionReceipt>;

/** Takes in how far the network says a message has come. Receipts of messages written on the phone are not ours. */
export function recordReceipts({
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
