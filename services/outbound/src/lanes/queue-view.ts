import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import { isRecorded } from '@messaging-gateway/tracing';
import {
  isChange,
  type DeliveryAttemptFailed,
  type MessageAccepted,
  type OutcomeLost,
} from '../message/message-events.ts';
import { messageStream } from '../message/message.ts';

interface QueueRow {
  readonly messageId: string;
  readonly profileId: string;
  readonly conversationId: string;
  readonly mode: string;
  readonly acceptedAt: string;
  readonly outcomeLost?: boolean;
  readonly attempts?: number;
  readonly dueAt?: string;
  readonly traceparent?: string;
  readonly isChange?: boolean;
}

function rowOf({ type, data, metadata }: RecordedAs<MessageAccepted | OutcomeLost | DeliveryAttemptFailed>): QueueRow {
  const { messageId, profileId, conversationId, mode, acceptedAt } = data;
  const { traceparent } = metadata;
  const trace = traceparent !== undefined && isRecorded(traceparent) ? { traceparent } : {};
  const row = { messageId, profileId, conversationId, mode, acceptedAt, isChange: isChange(data.type), ...trace };
  if (type === 'DeliveryAttemptFailed') return { ...row, attempts: data.attempt, dueAt: data.nextAttemptAt };
  return type === 'OutcomeLost' ? { ...row, outcomeLost: true } : row;
}

/**
 * What is still to be sent or settled, in the order of acceptance: small, because what is settled leaves it.
 * `place` is drawn while the guard holds the lane's lock, so that it grows per lane.
 */
export const queueView = view({
  name: 'queue',
  of: messageStream,
  on: ['MessageAccepted', 'OutcomeLost', 'DeliveryAttemptFailed'],
  rows: (events) => events.map(rowOf),
  tables: ['queue'],
  sql: `
    INSERT INTO {schema}.queue AS entry
      (message_id, profile_id, conversation_id, mode, accepted_at, outcome_lost, attempts, due_at, traceparent, is_change, place)
    SELECT message_id, profile_id, conversation_id, mode, accepted_at, outcome_lost, attempts, due_at, traceparent, is_change,
      nextval('{schema}.queue_place')
    FROM (
      SELECT (row->>'messageId')::uuid AS message_id, (row->>'profileId')::uuid AS profile_id,
        (row->>'conversationId')::uuid AS conversation_id, row->>'mode' AS mode,
        (row->>'acceptedAt')::timestamptz AS accepted_at, coalesce((row->>'outcomeLost')::boolean, false) AS outcome_lost,
        coalesce((row->>'attempts')::smallint, 0::smallint) AS attempts, (row->>'dueAt')::timestamptz AS due_at,
        row->>'traceparent' AS traceparent, coalesce((row->>'isChange')::boolean, false) AS is_change
      FROM {rows} ORDER BY ordinal
    ) AS change
    ON CONFLICT (message_id) DO UPDATE SET
      outcome_lost = entry.outcome_lost OR excluded.outcome_lost, due_at = excluded.due_at,
      attempts = greatest(entry.attempts, excluded.attempts)`,
});

/** Takes what is settled out of the queue. */
export const settledView = view({
  name: 'queue_settled',
  of: messageStream,
  on: ['MessageSent', 'MessageFailed', 'SettlementAbandoned'],
  rows: (events) => events.map(({ data }) => ({ messageId: data.messageId })),
  tables: ['queue'],
  sql: `DELETE FROM {schema}.queue WHERE message_id IN (SELECT (row->>'messageId')::uuid FROM {rows})`,
});
