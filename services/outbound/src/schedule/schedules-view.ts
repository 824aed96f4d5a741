import { conversationIdOf } from '@messaging-gateway/contracts';
import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { neverTold, type MessageEvent } from '../message/message-events.ts';
import type { ScheduleEvent } from './schedule-events.ts';

type Recorded = (ScheduleEvent | MessageEvent) & Pick<RecordedEvent, 'metadata' | 'at'>;
const recorded = (events: readonly RecordedEvent[]): readonly Recorded[] => events as unknown as readonly Recorded[];

/**
 * Scheduled messages in the order of their times. Neither this view nor the next is rebuilt: the messages that say what
 * became of a schedule are kept for the retention only.
 */
export const schedulesView: InlineView = {
  name: 'schedules',
  rows: (events) =>
    recorded(events).flatMap(({ type, data, metadata }) => {
      if (type !== 'MessageScheduled') return [];
      const { scheduleId, profileId, to, scheduledAt } = data;
      const conversationId = conversationIdOf(profileId, to);
      return [{ scheduleId, profileId, conversationId, scheduledAt, organizationId: metadata.organizationId }];
    }),
  sql: `
    insert into {schema}.schedules (schedule_id, profile_id, organization_id, conversation_id, due_at, next_look_at, status)
    select (row->>'scheduleId')::uuid, (row->>'profileId')::uuid, (row->>'organizationId')::uuid,
      (row->>'conversationId')::uuid, (row->>'scheduledAt')::timestamptz, (row->>'scheduledAt')::timestamptz, 'pending'
    from {rows} on conflict do nothing`,
};

/** Later than this is `late`, milliseconds. */
const onTime = `interval '5 seconds'`;

/**
 * What becomes of them: told by the schedule until it is released, then by its message. One that was given up as unknown
 * has failed, until a receipt says that it was sent.
 */
export const scheduleProgressView: InlineView = {
  name: 'schedule_progress',
  rows: (events) => recorded(events).flatMap(progressOf),
  sql: `
    update {schema}.schedules as schedule set
      status = row->>'status',
      late = schedule.late or coalesce((row->>'late')::boolean, false)
        or coalesce((row->>'sentAt')::timestamptz > schedule.due_at + ${onTime}, false),
      next_look_at = case when (row->>'isEntering')::boolean then schedule.next_look_at end,
      sent_at = (row->>'sentAt')::timestamptz,
      settled_at = (row->>'settledAt')::timestamptz,
      error = row->'error'
    from {rows} where schedule.schedule_id = (row->>'scheduleId')::uuid`,
};

function progressOf({ type, data, at }: Recorded): object[] {
  const settledAt = at.toISOString();
  switch (type) {
    case 'ScheduledMessageReleased':
      return [{ scheduleId: data.scheduleId, status: 'released', late: data.late, isEntering: true }];
    case 'ScheduledMessageFailed':
      return [{ scheduleId: data.scheduleId, status: 'failed', settledAt, error: data.error }];
    case 'ScheduledMessageCancelled':
      return [{ scheduleId: data.scheduleId, status: 'cancelled', settledAt }];
    case 'MessageAccepted':
      return data.origin === 'schedule' ? [{ scheduleId: data.messageId, status: 'released' }] : [];
    case 'MessageSent':
      return data.origin === 'schedule'
        ? [{ scheduleId: data.messageId, status: 'sent', settledAt, sentAt: data.handedOverAt }]
        : [];
    case 'MessageFailed':
      return data.origin === 'schedule'
        ? [{ scheduleId: data.messageId, status: 'failed', settledAt, error: data.error }]
        : [];
    case 'SettlementAbandoned':
      return [{ scheduleId: data.messageId, status: 'failed', settledAt, error: neverTold }];
    default:
      return [];
  }
}
