import { conversationIdOf } from '@messaging-gateway/contracts';
import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import { type MessageEvent, messageStream, neverTold } from '../message/message.ts';
import { scheduleStream, type ScheduleEvent } from './schedule.ts';

/**
 * Scheduled messages in the order of their times. Neither this view nor the next is rebuilt: the messages that say what
 * became of a schedule are kept for the retention only.
 */
export const schedulesView = view({
  name: 'schedules',
  of: scheduleStream,
  on: ['MessageScheduled'],
  rows: (events) =>
    events.map(({ data, metadata }) => {
      const { scheduleId, profileId, to, scheduledAt } = data;
      const conversationId = conversationIdOf(profileId, to);
      return { scheduleId, profileId, conversationId, scheduledAt, organizationId: metadata.organizationId };
    }),
  sql: `
    INSERT INTO {schema}.schedules (schedule_id, profile_id, organization_id, conversation_id, due_at, next_look_at, status)
    SELECT (row->>'scheduleId')::uuid, (row->>'profileId')::uuid, (row->>'organizationId')::uuid,
      (row->>'conversationId')::uuid, (row->>'scheduledAt')::timestamptz, (row->>'scheduledAt')::timestamptz, 'pending'
    FROM {rows} ON CONFLICT DO NOTHING`,
});

/** Later than this is `late`, milliseconds. */
const onTime = `INTERVAL '5 seconds'`;

/**
 * Status of each schedule: told by the schedule until it is released, then by its message. One that was given up as
 * unknown has failed, until a receipt says that it was sent.
 */
export const scheduleProgressView = view({
  name: 'schedule_progress',
  of: [scheduleStream, messageStream],
  on: [
    'ScheduledMessageReleased',
    'ScheduledMessageFailed',
    'ScheduledMessageCancelled',
    'MessageAccepted',
    'MessageSent',
    'MessageFailed',
    'SettlementAbandoned',
  ],
  rows: (events) => events.flatMap(progressOf),
  sql: `
    UPDATE {schema}.schedules AS schedule SET
      status = row->>'status',
      late = schedule.late OR coalesce((row->>'late')::boolean, false)
        OR coalesce((row->>'sentAt')::timestamptz > schedule.due_at + ${onTime}, false),
      next_look_at = CASE WHEN (row->>'isEntering')::boolean THEN schedule.next_look_at END,
      sent_at = (row->>'sentAt')::timestamptz,
      settled_at = (row->>'settledAt')::timestamptz,
      error = row->'error'
    FROM {rows} WHERE schedule.schedule_id = (row->>'scheduleId')::uuid`,
});

function progressOf({ type, data, at }: RecordedAs<ScheduleEvent | MessageEvent>): object[] {
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
