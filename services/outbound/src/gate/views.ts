import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import type { MessageEvent } from '../message/message-events.ts';
import { messageStream } from '../message/message.ts';
import { gateChangeOf, type GateChange } from './gate-count.ts';
import { policyStream, type SendingPolicyApplied } from './sending-policy.ts';

/** The lane's row is made with its first policy; the day is long past, so that it counts for nothing. */
function changeOf(event: RecordedAs<MessageEvent | SendingPolicyApplied>): GateChange | undefined {
  if (event.type !== 'SendingPolicyApplied') return gateChangeOf(event);
  return { profileId: event.data.profileId, day: '1970-01-01', reserved: 0, uncertain: 0, sent: 0 };
}

/**
 * The gate's count per profile: what `applyChange` does, in SQL. All changes of a batch to one lane become one row,
 * because a statement changes a row only once. Rows of a day that is over when the batch is written count for nothing.
 */
export const lanesView = view({
  name: 'lanes',
  of: [messageStream, policyStream],
  on: [
    'SendingPolicyApplied',
    'MessageAccepted',
    'MessageSent',
    'OutcomeLost',
    'DeliveryAttemptFailed',
    'MessageFailed',
  ],
  rows: (events) => events.flatMap((event) => changeOf(event) ?? []),
  tables: ['lanes'],
  sql: `
    INSERT INTO {schema}.lanes AS lane (profile_id, day, reserved, uncertain, sent, handed_over_at)
    SELECT profile_id, last_day, sum(reserved), coalesce(sum(uncertain) FILTER (WHERE day = last_day), 0),
      coalesce(sum(sent) FILTER (WHERE day = last_day), 0), max(handed_over_at)
    FROM (
      SELECT (row->>'profileId')::uuid AS profile_id, (row->>'day')::date AS day, (row->>'reserved')::int AS reserved,
        (row->>'uncertain')::int AS uncertain, (row->>'sent')::int AS sent, (row->>'handedOverAt')::timestamptz AS handed_over_at,
        max((row->>'day')::date) OVER (PARTITION BY row->>'profileId') AS last_day
      FROM {rows}
    ) AS change
    GROUP BY profile_id, last_day
    ORDER BY profile_id
    ON CONFLICT (profile_id) DO UPDATE SET
      day = greatest(lane.day, excluded.day),
      reserved = lane.reserved + excluded.reserved,
      uncertain = CASE WHEN excluded.day > lane.day THEN 0 ELSE lane.uncertain END
        + CASE WHEN excluded.day < lane.day THEN 0 ELSE excluded.uncertain END,
      sent = CASE WHEN excluded.day > lane.day THEN 0 ELSE lane.sent END
        + CASE WHEN excluded.day < lane.day THEN 0 ELSE excluded.sent END,
      handed_over_at = greatest(lane.handed_over_at, excluded.handed_over_at)`,
});

/** Whose a lane is, and what its gate goes by. Kept when the lane is closed, so that nothing is accepted for it. */
export const policiesView = view({
  name: 'policies',
  of: policyStream,
  on: ['SendingPolicyApplied', 'LaneClosed'],
  rows: (events) => events.map(({ type, data }) => ({ ...data, closed: type === 'LaneClosed' })),
  tables: ['policies'],
  sql: `
    INSERT INTO {schema}.policies (profile_id, organization_id, message_delay_ms, daily_message_limit, closed)
    SELECT (row->>'profileId')::uuid, (row->>'organizationId')::uuid, (row->>'messageDelayMs')::int,
      (row->>'dailyMessageLimit')::int, (row->>'closed')::boolean
    FROM {rows}
    ON CONFLICT (profile_id) DO UPDATE SET message_delay_ms = excluded.message_delay_ms,
      daily_message_limit = excluded.daily_message_limit, closed = excluded.closed`,
});
