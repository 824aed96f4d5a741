import type { InlineView } from '@messaging-gateway/event-sourcing';
import type { PolicyEvent } from './sending-policy.ts';
import type { MessageEvent } from '../message/message-events.ts';

/** Whose a lane is, and what its gate goes by. Kept when the lane is closed, so that nothing is accepted for it. */
export const policiesView: InlineView = {
  name: 'policies',
  rows: (events) =>
    (events as unknown as readonly (PolicyEvent | MessageEvent)[]).flatMap(({ type, data }) =>
      type === 'SendingPolicyApplied' || type === 'LaneClosed' ? [{ ...data, closed: type === 'LaneClosed' }] : [],
    ),
  tables: ['policies'],
  sql: `
    insert into {schema}.policies (profile_id, organization_id, message_delay_ms, daily_message_limit, closed)
    select (row->>'profileId')::uuid, (row->>'organizationId')::uuid, (row->>'messageDelayMs')::int,
      (row->>'dailyMessageLimit')::int, (row->>'closed')::boolean
    from {rows}
    on conflict (profile_id) do update set message_delay_ms = excluded.message_delay_ms,
      daily_message_limit = excluded.daily_message_limit, closed = excluded.closed`,
};
