import { view } from '@messaging-gateway/event-sourcing';
import { messageStream, neverTold } from '../message/message.ts';
import { batchStream } from './batch.ts';
import { itemMessageId } from './item-id.ts';

/** Batches. None of these views is rebuilt: the messages that say what became of them are kept for the retention only. */
export const batchesView = view({
  name: 'batches',
  of: batchStream,
  on: ['BatchAccepted'],
  rows: (events) =>
    events.map(({ data: { batchId, profileId, createdAt }, metadata: { organizationId } }) => ({
      batchId,
      profileId,
      createdAt,
      organizationId,
    })),
  sql: `
    INSERT INTO {schema}.batches (batch_id, profile_id, organization_id, created_at, next_look_at, status)
    SELECT (row->>'batchId')::uuid, (row->>'profileId')::uuid, (row->>'organizationId')::uuid,
      (row->>'createdAt')::timestamptz, (row->>'createdAt')::timestamptz, 'queued'
    FROM {rows} ON CONFLICT DO NOTHING`,
});

/** How far batches have come. */
export const batchProgressView = view({
  name: 'batch_progress',
  of: batchStream,
  on: ['BatchMessageReleased', 'BatchEnded'],
  rows: (events) =>
    events.map(({ type, data }) =>
      type === 'BatchMessageReleased'
        ? { batchId: data.batchId, status: 'processing' }
        : { batchId: data.batchId, status: data.status, reason: data.reason, completedAt: data.at },
    ),
  sql: `
    UPDATE {schema}.batches AS batch SET status = row->>'status', reason = row->>'reason',
      completed_at = (row->>'completedAt')::timestamptz, waiting_since = NULL
    FROM {rows} WHERE batch.batch_id = (row->>'batchId')::uuid`,
});

/** The messages of batches, known by their ids before they exist. */
export const batchItemsView = view({
  name: 'batch_items',
  of: batchStream,
  on: ['BatchAccepted'],
  rows: (events) =>
    events.flatMap(({ data }) => {
      const { batchId, total } = data;
      return Array.from({ length: total }, (_, index) => ({ batchId, index, messageId: itemMessageId(data, index) }));
    }),
  sql: `
    INSERT INTO {schema}.batch_items (batch_id, index, message_id, status)
    SELECT (row->>'batchId')::uuid, (row->>'index')::smallint, (row->>'messageId')::uuid, 'pending'
    FROM {rows} ON CONFLICT DO NOTHING`,
});

/** The result of each message. One that was given up as unknown has failed, until a receipt says that it was sent. */
export const batchResultsView = view({
  name: 'batch_results',
  of: messageStream,
  on: ['MessageSent', 'MessageFailed', 'SettlementAbandoned'],
  rows: (events) =>
    events.flatMap(({ type, data }): object[] => {
      // Whether it was one of a batch, the table knows.
      if (type === 'SettlementAbandoned') return [{ messageId: data.messageId, status: 'failed', error: neverTold }];
      if (data.origin !== 'bulk') return [];
      const { messageId } = data;
      return type === 'MessageSent'
        ? [{ messageId, status: 'sent', at: data.handedOverAt }]
        : [{ messageId, status: 'failed', at: data.failedAt, error: data.error }];
    }),
  sql: `
    UPDATE {schema}.batch_items AS item SET status = row->>'status', settled_at = (row->>'at')::timestamptz,
      error = row->'error'
    FROM {rows} WHERE item.message_id = (row->>'messageId')::uuid`,
});

/** Messages that a batch leaves behind when it ends early. */
export const batchRestView = view({
  name: 'batch_rest',
  of: batchStream,
  on: ['BatchEnded'],
  rows: (events) => events.map(({ data: { batchId, from } }) => ({ batchId, from })),
  sql: `
    UPDATE {schema}.batch_items AS item SET status = 'cancelled'
    FROM {rows} WHERE item.batch_id = (row->>'batchId')::uuid AND item.index >= (row->>'from')::int
      AND item.status = 'pending'`,
});
