import type { AppendGuard } from '@messaging-gateway/event-sourcing';

/** What the gate is asked. */
export interface PlaceRequest {
  readonly profileId: string;
  /** 1 for a new message; 0 for every other change of the lane, which is always granted. */
  readonly places: 0 | 1;
  /** Today in Asia/Jakarta. */
  readonly day: string;
}

/**
 * Grants a place in the day's limit (docs/decisions/0200). Only locks and compares; `lanesView` counts, in the
 * same statement, for what was really appended. Everything that changes a lane asks, so that the lanes of a batch are
 * locked in one order and two batches never wait for each other.
 */
export const placeGuard: AppendGuard = {
  name: 'place',
  before: [
    [
      'place_locked',
      `
      select lane.profile_id, lane.day, lane.reserved, lane.uncertain + lane.sent as handed_over,
        coalesce(policy.daily_message_limit, 2147483647) as most, policy.closed
      from {schema}.lanes as lane join {schema}.policies as policy using (profile_id)
      where lane.profile_id = any (array(select (request->>'profileId')::uuid from {requests}))
      order by lane.profile_id for update of lane`,
    ],
  ],
  sql: `
    select asked.command from (
      select command, (request->>'profileId')::uuid as profile_id, (request->>'places')::int as places,
        (request->>'day')::date as day,
        sum((request->>'places')::int) over (partition by request->>'profileId' order by command) as rank
      from {requests}
    ) as asked
    left join place_locked as lane using (profile_id)
    where asked.places = 0 or (not lane.closed
      and lane.reserved + asked.rank + case when lane.day < asked.day then 0 else lane.handed_over end <= lane.most)`,
};
