import { Type } from 'typebox';
import { Count, Failure, Id, Jid, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

export const BatchStatus = oneOf(['queued', 'processing', 'completed', 'cancelled', 'failed'], {
  title: 'BatchStatus',
});

const summary = {
  batchId: Id,
  profileId: Id,
  status: BatchStatus,
  reason: nullable(
    Type.String({ description: 'Why it failed: `DAILY_LIMIT_REACHED`, or the code of the message that stopped it' }),
  ),
  progress: closed({ total: Count, sent: Count, failed: Count, pending: Count, cancelled: Count }),
  createdAt: Timestamp,
  completedAt: nullable(Timestamp),
};

/** A bulk send as lists show it. */
export const BatchSummary = closed(summary, { title: 'BatchSummary' });

/** A bulk send with what became of each message. */
export const Batch = closed(
  {
    ...summary,
    results: Type.Array(
      closed({
        index: Count,
        chatId: Jid,
        status: oneOf(['pending', 'sent', 'failed', 'cancelled']),
        messageId: Type.Optional(Id),
        error: Type.Optional(Failure),
      }),
    ),
  },
  { title: 'Batch' },
);

export const batchParams = closed({ batchId: Id });

export const batchExample = {
  batchId: '0198c0de-0000-7000-8000-00000000000a',
  profileId: '0198c0de-0000-7000-8000-000000000001',
  status: 'processing',
  reason: null,
  progress: { total: 2, sent: 1, failed: 0, pending: 1, cancelled: 0 },
  createdAt: '2026-01-01T10:00:00.000Z',
  completedAt: null,
  results: [
    {
      index: 0,
      chatId: '4915112345678@c.us',
      status: 'sent',
      messageId: '0198c0de-0000-7000-8000-00000000000b',
    },
    { index: 1, chatId: '4915112345679@c.us', status: 'pending' },
  ],
};
