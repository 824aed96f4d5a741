import { view, type AppendGuard } from '@messaging-gateway/event-sourcing';
import { runStream } from './run.ts';

/** A request to hand a message of automation over. */
export interface PaceRequest {
  readonly conversationId: string;
  /** Base64 digest of what it says. */
  readonly digest: string;
  /** ISO 8601 */
  readonly at: string;
}

/** Automatic messages to a chat within a minute, at most. */
export const mostAMinute = 5;
/** Of these the same, within ten minutes. */
export const mostAlike = 3;
/** So many within an hour, without somebody of ours writing, mute the chat for a day. */
const mostAnHour = 60;

/**
 * Lets a message go to a chat when automation has not sent too many there. It locks and compares; `paceView` counts, in the
 * same statement, what was really written. So it is exact over any number of replicas.
 */
export const paceGuard: AppendGuard = {
  name: 'pace',
  before: [
    [
      'pace_locked',
      `SELECT conversation_id, times, digests, muted_until FROM {schema}.chat_pace
        WHERE conversation_id = ANY (ARRAY(SELECT (request->>'conversationId')::uuid FROM {requests}))
        ORDER BY conversation_id FOR UPDATE`,
    ],
  ],
  sql: `
    SELECT asked.command FROM (
      SELECT command, (request->>'conversationId')::uuid AS conversation_id, request->>'digest' AS digest,
             (request->>'at')::timestamptz AS at,
             row_number() OVER (PARTITION BY request->>'conversationId' ORDER BY command) AS place,
             row_number() OVER (PARTITION BY request->>'conversationId', request->>'digest' ORDER BY command) AS alike
        FROM {requests}
    ) asked
    JOIN pace_locked pace USING (conversation_id)
    WHERE (pace.muted_until IS NULL OR pace.muted_until <= asked.at)
      AND asked.place + (SELECT count(*) FROM unnest(pace.times) AS sent(at)
                          WHERE sent.at > asked.at - interval '1 minute') <= ${mostAMinute}
      AND asked.alike + (SELECT count(*) FROM unnest(pace.times, pace.digests) AS sent(at, digest)
                          WHERE sent.digest = asked.digest AND sent.at > asked.at - interval '10 minutes') <= ${mostAlike}`,
};

/** Counts what was let through. Rows are there since the run began; those that were taken away since count anew. */
export const paceView = view({
  name: 'chat_pace',
  of: runStream,
  on: ['MessageReleased'],
  rows: (events) => events.map(({ data: { conversationId, digest, at } }) => ({ conversationId, digest, at })),
  sql: `
    UPDATE {schema}.chat_pace AS held SET
      times = (held.times || given.times)[greatest(1, cardinality(held.times || given.times) - ${mostAnHour - 1}):],
      digests = (held.digests || given.digests)[greatest(1, cardinality(held.digests || given.digests) - ${mostAnHour - 1}):],
      used_at = given.last_at,
      muted_until = CASE WHEN ${mostAnHour} <= (
          SELECT count(*) FROM unnest(held.times || given.times) AS sent(at)
           WHERE sent.at > given.last_at - interval '1 hour' AND (held.human_at IS NULL OR sent.at > held.human_at))
        THEN given.last_at + interval '1 day' ELSE held.muted_until END
    FROM (
      SELECT (row->>'conversationId')::uuid AS conversation_id, max((row->>'at')::timestamptz) AS last_at,
             array_agg((row->>'at')::timestamptz(3) ORDER BY command, ordinal) AS times,
             array_agg(row->>'digest' ORDER BY command, ordinal) AS digests
        FROM {rows} GROUP BY 1) given
    WHERE held.conversation_id = given.conversation_id`,
});
