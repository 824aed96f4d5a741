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
 * Grants a place in the day's limit (specification §3, send gate). Only locks and compares; `lanesView` counts, in the
 * same statement, for what was really appended. Everything that changes a lane asks, so that the lanes of a batch are
 * locked in one order and two batches never wait for each other.
 */
export const placeGuard: AppendGuard = {
  name: 'place',
  before: [
    [
      'place_asked',
      `
      select command, (request->>'profileId')::uuid as profile_id, (request->>'places')::int as places,
        (request->>'day')::date as day
      from {requests}`,
    ],
    [
      'place_locked',
      `
      select profile_id, day, reserved, uncertain + sent as handed_over from {schema}.lanes
      where profile_id in (select profile_id from place_asked) order by profile_id for update`,
    ],
  ],
  sql: `
    select asked.command from (
      select *, sum(places) over (partition by profile_id order by command) as rank from place_asked
    ) as asked
    left join place_locked as lane using (profile_id)
    left join {schema}.policies as policy using (profile_id)
    where asked.places = 0
      or (lane.reserved + asked.rank + case when lane.day < asked.day then 0 else lane.handed_over end
        <= coalesce(policy.daily_message_limit, 2147483647) and not policy.closed)`,
};
