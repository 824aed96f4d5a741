import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { isRecorded } from '@messaging-gateway/tracing';
import type { PolicyEvent } from '../gate/sending-policy.ts';
import { isChange, type MessageEvent } from '../message/message-events.ts';

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

type Recorded = (MessageEvent | PolicyEvent) & Pick<RecordedEvent, 'metadata'>;

function openRow({ type, data, metadata }: Recorded): QueueRow[] {
  if (type !== 'MessageAccepted' && type !== 'OutcomeLost' && type !== 'DeliveryAttemptFailed') return [];
  const { messageId, profileId, conversationId, mode, acceptedAt } = data;
  const { traceparent } = metadata;
  const trace = traceparent !== undefined && isRecorded(traceparent) ? { traceparent } : {};
  const row = { messageId, profileId, conversationId, mode, acceptedAt, isChange: isChange(data.type), ...trace };
  if (type === 'DeliveryAttemptFailed') return [{ ...row, attempts: data.attempt, dueAt: data.nextAttemptAt }];
  return [type === 'OutcomeLost' ? { ...row, outcomeLost: true } : row];
}

/**
 * What is still to be sent or settled, in the order of acceptance: small, because what is settled leaves it.
 * `place` is drawn while the guard holds the lane's lock, so that it grows per lane.
 */
export const queueView: InlineView = {
  name: 'queue',
  rows: (events) => (events as unknown as readonly Recorded[]).flatMap(openRow),
  tables: ['queue'],
  sql: `
    insert into {schema}.queue as entry
      (message_id, profile_id, conversation_id, mode, accepted_at, outcome_lost, attempts, due_at, traceparent, is_change, place)
    select *, nextval('{schema}.queue_place') from (
      select (row->>'messageId')::uuid, (row->>'profileId')::uuid, (row->>'conversationId')::uuid, row->>'mode',
        (row->>'acceptedAt')::timestamptz, coalesce((row->>'outcomeLost')::boolean, false),
        coalesce((row->>'attempts')::smallint, 0::smallint), (row->>'dueAt')::timestamptz,
        row->>'traceparent', coalesce((row->>'isChange')::boolean, false)
      from {rows} order by ordinal
    ) as change
    on conflict (message_id) do update set
      outcome_lost = entry.outcome_lost or excluded.outcome_lost, due_at = excluded.due_at,
      attempts = greatest(entry.attempts, excluded.attempts)`,
};

/** Takes what is settled out of the queue. */
export const settledView: InlineView = {
  name: 'queue_settled',
  rows: (events) =>
    (events as unknown as readonly (MessageEvent | PolicyEvent)[]).flatMap(({ type, data }) =>
      type === 'MessageSent' || type === 'MessageFailed' || type === 'SettlementAbandoned'
        ? [{ messageId: data.messageId }]
        : [],
    ),
  tables: ['queue'],
  sql: `delete from {schema}.queue where message_id in (select (row->>'messageId')::uuid from {rows})`,
};
