import { event } from '../../contract.ts';
import { BroadcastFailedReason, Count, Id, Timestamp, closed, oneOf } from '../../shapes.ts';

const counted = { id: Id, total: Count, sent: Count, failed: Count };
const example = { id: '0198c0de-0000-7000-8000-00000000000c', total: 100, sent: 0, failed: 0 };
const shared = { version: 1, owner: 'campaigns', visibility: 'public' } as const;

export const BroadcastStarted = event({
  ...shared,
  type: 'broadcast.started',
  means: 'A broadcast has fixed its recipients and begins to send. Told once.',
  data: closed(counted),
  example,
});

export const BroadcastCompleted = event({
  ...shared,
  type: 'broadcast.completed',
  means: 'All recipients of a broadcast were processed.',
  data: closed(counted),
  example: { ...example, sent: 98, failed: 2 },
});

export const BroadcastFailed = event({
  ...shared,
  type: 'broadcast.failed',
  means: 'A broadcast cannot go on. Failures of single recipients do not fail it.',
  data: closed({ ...counted, reason: BroadcastFailedReason }),
  example: { ...example, sent: 12, reason: 'PROFILE_DELETED' },
});

export const BroadcastHeld = event({
  type: 'broadcast.held',
  version: 1,
  owner: 'campaigns',
  visibility: 'internal',
  means: 'A broadcast is paused until its profile may send again: the daily limit is reached.',
  data: closed({ id: Id, resumesAt: Timestamp }),
  example: { id: example.id, resumesAt: '2026-01-01T17:00:00.000Z' },
});

export const BroadcastUpdated = event({
  type: 'broadcast.updated',
  version: 1,
  owner: 'campaigns',
  visibility: 'internal',
  live: true,
  means: 'A broadcast was drafted, changed, scheduled, paused, resumed, cancelled or deleted, by whomever.',
  data: closed({
    id: Id,
    change: oneOf(['drafted', 'changed', 'scheduled', 'paused', 'resumed', 'cancelled', 'deleted']),
  }),
  example: { id: example.id, change: 'paused' },
});
