import type { AppendGuard } from '@messaging-gateway/event-sourcing';

/** A request to let a flow fire. */
export interface BeginRequest {
  readonly flowId: string;
  /** ISO 8601 */
  readonly minute: string;
}

/** Lets a flow fire that is to fire by then, as it is now, and whose firing before that is over: never two at once. */
export const beginGuard: AppendGuard = {
  name: 'fire',
  before: [
    [
      'fire_locked',
      `SELECT flow_id, firing_id, next_at FROM {schema}.schedules
        WHERE flow_id = ANY (ARRAY(SELECT (request->>'flowId')::uuid FROM {requests})) ORDER BY flow_id FOR UPDATE`,
    ],
  ],
  sql: `
    SELECT min(asked.command) AS command FROM {requests} asked
      JOIN fire_locked held ON held.flow_id = (asked.request->>'flowId')::uuid
     WHERE held.firing_id IS NULL AND held.next_at <= (asked.request->>'minute')::timestamptz
     GROUP BY held.flow_id`,
};
