import type { Batch as BatchContract, BatchSummary } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import type { Batch } from './batch.ts';
import type { BatchRow, ItemRow, Progress } from './batch-records.ts';

type Summary = Static<typeof BatchSummary>;
type Results = Static<typeof BatchContract>['results'];

const none: Progress = { total: 0, sent: 0, failed: 0, pending: 0, cancelled: 0 };

/** A batch as the API shows it. */
export function shownBatch(row: BatchRow, progress = none): Summary {
  return {
    batchId: row.batch_id,
    profileId: row.profile_id,
    status: row.status as Summary['status'],
    reason: row.reason,
    progress,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  };
}

/** The result of each message; messages that were not released have no id yet. */
export function shownResults(items: readonly ItemRow[], batch: Batch): Results {
  if (batch.status === 'none') return [];
  const { facts, released } = batch;
  return items.map(({ index, status, message_id: messageId, error }) => ({
    index,
    chatId: facts.messages[index]?.to ?? '',
    status,
    ...(index < released && status !== 'cancelled' && { messageId }),
    ...(error !== null && { error }),
  }));
}
