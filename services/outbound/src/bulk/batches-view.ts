import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { neverTold, type MessageEvent } from '../message/message-events.ts';
import type { BatchEvent } from './batch-events.ts';
import { itemMessageId } from './item-id.ts';

type Recorded = (BatchEvent | MessageEvent) & Pick<RecordedEvent, 'metadata'>;
const recorded = (events: readonly RecordedEvent[]): readonly Recorded[] => events as unknown as readonly Recorded[];

/** Batches. None of these views is rebuilt: the messages that say what became of them are kept for the retention only. */
export const batchesView: InlineView = {
  name: 'batches',
  rows: (events) =>
    recorded(events).flatMap(({ type, data, metadata }) => {
      if (type !== 'BatchAccepted') return [];
      const { batchId, profileId, createdAt } = data;
      return [{ batchId, profileId, createdAt, organizationId: metadata.organizationId }];
    }),
  sql: `
    insert into {schema}.batches (batch_id, profile_id, organization_id, created_at, next_look_at, status)
    select (row->>'batchId')::uuid, (row->>'profileId')::uuid, (row->>'organizationId')::uuid,
      (row->>'createdAt')::timestamptz, (row->>'createdAt')::timestamptz, 'queued'
    from {rows} on conflict do nothing`,
};

/** How far batches have come. */
export const batchProgressView: InlineView = {
  name: 'batch_progress',
  rows: (events) =>
    recorded(events).flatMap(({ type, data }) => {
      if (type === 'BatchMessageReleased') return [{ batchId: data.batchId, status: 'processing' }];
      if (type !== 'BatchEnded') return [];
      return [{ batchId: data.batchId, status: data.status, reason: data.reason, completedAt: data.at }];
    }),
  sql: `
    update {schema}.batches as batch set status = row->>'status', reason = row->>'reason',
      completed_at = (row->>'completedAt')::timestamptz, waiting_since = null
    from {rows} where batch.batch_id = (row->>'batchId')::uuid`,
};

/** The messages of batches, known by their ids before they exist. */
export const batchItemsView: InlineView = {
  name: 'batch_items',
  rows: (events) =>
    recorded(events).flatMap(({ type, data }) => {
      if (type !== 'BatchAccepted') return [];
      const { batchId, total } = data;
      return Array.from({ length: total }, (_, index) => ({
        batchId,
        index,
        messageId: itemMessageId(data, index),
      }));
    }),
  sql: `
    insert into {schema}.batch_items (batch_id, index, message_id, status)
    select (row->>'batchId')::uuid, (row->>'index')::smallint, (row->>'messageId')::uuid, 'pending'
    from {rows} on conflict do nothing`,
};

/** What became of each message. One that was given up as unknown has failed, until a receipt says that it was sent. */
export const batchResultsView: InlineView = {
  name: 'batch_results',
  rows: (events) =>
    recorded(events).flatMap(({ type, data }): object[] => {
      // Whether it was one of a batch, the table knows.
      if (type === 'SettlementAbandoned') return [{ messageId: data.messageId, status: 'failed', error: neverTold }];
      if (type !== 'MessageSent' && type !== 'MessageFailed') return [];
      if (data.origin !== 'bulk') return [];
      const { messageId } = data;
      return type === 'MessageSent'
        ? [{ messageId, status: 'sent', at: data.handedOverAt }]
        : [{ messageId, status: 'failed', at: data.failedAt, error: data.error }];
    }),
  sql: `
    update {schema}.batch_items as item set status = row->>'status', settled_at = (row->>'at')::timestamptz,
      error = row->'error'
    from {rows} where item.message_id = (row->>'messageId')::uuid`,
};

/** What a batch leaves behind when it ends early. */
export const batchRestView: InlineView = {
  name: 'batch_rest',
  rows: (events) =>
    recorded(events).flatMap(({ type, data }) =>
      type === 'BatchEnded' ? [{ batchId: data.batchId, from: data.from }] : [],
    ),
  sql: `
    update {schema}.batch_items as item set status = 'cancelled'
    from {rows} where item.batch_id = (row->>'batchId')::uuid and item.index >= (row->>'from')::int
      and item.status = 'pending'`,
};
