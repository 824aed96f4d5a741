import type { InlineView } from '@messaging-gateway/event-sourcing';
import { gateChangeOf, type GateChange } from './gate-count.ts';
import type { PolicyEvent } from './sending-policy.ts';
import type { MessageEvent } from '../message/message-events.ts';

/** The lane's row is made with its first policy; the day is long past, so that it counts for nothing. */
function changeOf(event: MessageEvent | PolicyEvent): GateChange | undefined {
  if (event.type === 'DailyLimitReached' || event.type === 'LaneClosed') return undefined;
  if (event.type !== 'SendingPolicyApplied') return gateChangeOf(event);
  return { profileId: event.data.profileId, day: '1970-01-01', reserved: 0, uncertain: 0, sent: 0 };
}

/**
 * The gate's count per profile: what `applyChange` does, in SQL. All changes of a batch to one lane become one row,
 * because a statement changes a row only once. Rows of a day that is over when the batch is written count for nothing.
 */
export const lanesView: InlineView = {
  name: 'lanes',
  rows: (events) =>
    (events as unknown as readonly (MessageEvent | PolicyEvent)[]).flatMap((event) => changeOf(event) ?? []),
  tables: ['lanes'],
  sql: `
    insert into {schema}.lanes as lane (profile_id, day, reserved, uncertain, sent, handed_over_at)
    select profile_id, last_day, sum(reserved), coalesce(sum(uncertain) filter (where day = last_day), 0),
      coalesce(sum(sent) filter (where day = last_day), 0), max(handed_over_at)
    from (
      select (row->>'profileId')::uuid as profile_id, (row->>'day')::date as day, (row->>'reserved')::int as reserved,
        (row->>'uncertain')::int as uncertain, (row->>'sent')::int as sent, (row->>'handedOverAt')::timestamptz as handed_over_at,
        max((row->>'day')::date) over (partition by row->>'profileId') as last_day
      from {rows}
    ) as change
    group by profile_id, last_day
    order by profile_id
    on conflict (profile_id) do update set
      day = greatest(lane.day, excluded.day),
      reserved = lane.reserved + excluded.reserved,
      uncertain = case when excluded.day > lane.day then 0 else lane.uncertain end
        + case when excluded.day < lane.day then 0 else excluded.uncertain end,
      sent = case when excluded.day > lane.day then 0 else lane.sent end
        + case when excluded.day < lane.day then 0 else excluded.sent end,
      handed_over_at = greatest(lane.handed_over_at, excluded.handed_over_at)`,
};
