import type { StreamType } from '@messaging-gateway/event-sourcing';
import type { BatchEvent } from './batch-events.ts';
import { batch, type Batch, type BatchCommand } from './batch.ts';

/** `batch-<batchId>`: recipients and contents are personal data of the organization. It goes like that of a schedule. */
export const batchStream: StreamType<Batch, BatchCommand, BatchEvent> = {
  name: 'batch',
  decider: batch,
  events: {
    BatchAccepted: { version: 1, personal: ['messages'] },
    BatchMessageReleased: { version: 1 },
    BatchEnded: { version: 1 },
  },
};
