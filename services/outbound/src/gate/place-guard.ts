import type { AppendGuard } from '@messaging-gateway/event-sourcing';

/** A request for a place in the day's limit. */
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
      SELECT lane.profile_id, lane.day, lane.reserved, lane.uncertain + lane.sent AS handed_over,
        coalesce(policy.daily_message_limit, 2147483647) AS most, policy.closed
      FROM {schema}.lanes AS lane JOIN {schema}.policies AS policy USING (profile_id)
      WHERE lane.profile_id = ANY (ARRAY(SELECT (request->>'profileId')::uuid FROM {requests}))
      ORDER BY lane.profile_id FOR UPDATE OF lane`,
    ],
  ],
  sql: `
    SELECT asked.command FROM (
      SELECT command, (request->>'profileId')::uuid AS profile_id, (request->>'places')::int AS places,
        (request->>'day')::date AS day,
        sum((request->>'places')::int) OVER (PARTITION BY request->>'profileId' ORDER BY command) AS rank
      FROM {requests}
    ) AS asked
    LEFT JOIN place_locked AS lane USING (profile_id)
    WHERE asked.places = 0 OR (NOT lane.closed
      AND lane.reserved + asked.rank + CASE WHEN lane.day < asked.day THEN 0 ELSE lane.handed_over END <= lane.most)`,
};
