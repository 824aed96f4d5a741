import type { ServiceModule } from '@messaging-gateway/service';
import { batchStream } from './bulk/batch-stream.ts';
import {
  batchesView,
  batchItemsView,
  batchProgressView,
  batchRestView,
  batchResultsView,
} from './bulk/batches-view.ts';
import type { OutboundSettings } from './config.ts';
import { placeGuard } from './gate/place-guard.ts';
import { policyStream } from './gate/sending-policy.ts';
import { messageStream } from './message/message-stream.ts';
import { lanesAndQueue } from './migrations/20260101000000-lanes-and-queue.ts';
import { traceContext } from './migrations/20260102000000-trace-context.ts';
import { changesOfMessages } from './migrations/20260301000000-changes-of-messages.ts';
import { ownersOfLanes } from './migrations/20260201000000-owners-of-lanes.ts';
import { schedulesAndBatches } from './migrations/20260302000000-schedules-and-batches.ts';
import { orderOfSchedules } from './migrations/20261101000000-order-of-schedules.ts';
import { whenSchedulesWereSettled } from './migrations/20261122000000-when-schedules-were-settled.ts';
import { secondaryChannels } from './migrations/20261123000000-secondary-channels.ts';
import { scheduleStream } from './schedule/schedule-stream.ts';
import { scheduleProgressView, schedulesView } from './schedule/schedules-view.ts';
import { outboundService } from './service.ts';
import { lanesView } from './gate/lanes-view.ts';
import { networkIdsView } from './views/network-ids-view.ts';
import { policiesView } from './gate/policies-view.ts';
import { queueView, settledView } from './lanes/queue-views.ts';

export { outboundSettings } from './config.ts';
export type { OutboundSettings } from './config.ts';

/** Messages going out: acceptance, the send gate, lanes, outcomes. */
export const outbound: ServiceModule<OutboundSettings> = {
  name: 'outbound',
  storage: {
    schema: 'outbound',
    streams: [messageStream, policyStream, scheduleStream, batchStream],
    inlineViews: [
      lanesView,
      policiesView,
      queueView,
      settledView,
      networkIdsView,
      schedulesView,
      scheduleProgressView,
      batchesView,
      batchItemsView,
      batchProgressView,
      batchResultsView,
      batchRestView,
    ],
    guards: [placeGuard],
  },
  migrations: [
    lanesAndQueue,
    traceContext,
    ownersOfLanes,
    changesOfMessages,
    schedulesAndBatches,
    orderOfSchedules,
    whenSchedulesWereSettled,
    secondaryChannels,
  ],
  connect: outboundService,
};
