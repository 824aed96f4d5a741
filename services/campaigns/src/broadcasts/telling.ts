import { isAnswer } from './answers.ts';

/**
 * SQL: takes in what is told of a message ($1): a status ($2), a receipt ($3), attempts ($4), a fault ($5), and when ($6). A row when
 * it is one of a broadcast; `raced`: something else was told of it at the same moment, and nothing is changed.
 */
export const telling = `WITH found AS MATERIALIZED (
   SELECT a.audience_id, a.place, a.broadcast_id, a.status, a.receipt, a.variant, a.replied, a.settled_at,
      ($2 = 'sent' OR $3 > 0) AS proves,
      -- The last: left out as it had not been handed over, it seemed.
      a.status IN ('released', 'unknown') OR (a.status = 'skipped' AND a.released_at IS NOT NULL) AS waits
     FROM audience a JOIN broadcasts b ON b.audience_id = a.audience_id AND b.broadcast_id = a.broadcast_id
    WHERE a.message_id = $1),
 held AS MATERIALIZED (
   SELECT b.broadcast_id, b.held_by FROM broadcasts b JOIN found USING (broadcast_id) FOR UPDATE OF b),
 wanted AS MATERIALIZED (
   SELECT found.audience_id, found.place, found.status, found.receipt, found.variant, found.broadcast_id, found.replied,
      found.settled_at, held.held_by,
      CASE WHEN found.proves AND (found.waits OR found.status = 'failed') THEN 'sent'
           WHEN $2 = 'failed' AND found.waits THEN 'failed'
           WHEN $2 = 'unknown' AND found.status = 'released' THEN 'unknown'
           ELSE found.status END AS becomes,
      greatest(found.receipt, $3)::smallint AS reached,
      -- Sent when the first proof says so; what is no proof says nothing of that.
      CASE WHEN found.proves AND (found.waits OR found.status = 'failed') THEN $6
           WHEN found.proves AND found.status = 'sent' THEN least(found.settled_at, $6)
           WHEN $2 = 'failed' AND found.waits THEN $6
           ELSE found.settled_at END AS since
     FROM found JOIN held USING (broadcast_id)),
 changed AS (
   UPDATE audience a SET status = w.becomes, receipt = w.reached, settled_at = w.since,
      attempts = CASE WHEN w.becomes IN ('sent', 'failed') THEN coalesce($4, greatest(a.attempts, 1)) ELSE a.attempts END,
      error = CASE w.becomes WHEN 'failed' THEN coalesce($5::jsonb, a.error) WHEN 'sent' THEN NULL ELSE a.error END,
      replied = a.replied OR (w.becomes = 'sent' AND EXISTS (SELECT FROM unnest(a.answers) AS answer (time) WHERE ${isAnswer('answer.time', 'w.since')}))
     FROM wanted w
    WHERE a.audience_id = w.audience_id AND a.place = w.place AND a.status = w.status AND a.receipt = w.receipt
      AND a.replied = w.replied AND a.settled_at IS NOT DISTINCT FROM w.settled_at
   RETURNING a.audience_id, a.broadcast_id, w.variant, w.held_by, w.status AS was, w.becomes, w.receipt AS had, w.reached,
      a.replied AND NOT w.replied AS answered),
 counted AS (
   UPDATE broadcasts b SET
      sent = b.sent + (c.becomes = 'sent' AND c.was <> 'sent')::int,
      failed = b.failed + (c.becomes = 'failed' AND c.was <> 'failed')::int - (c.was = 'failed' AND c.becomes = 'sent')::int,
      skipped = b.skipped - (c.was = 'skipped' AND c.becomes <> 'skipped')::int,
      open = b.open - (c.was IN ('released', 'unknown') AND c.becomes IN ('sent', 'failed'))::int,
      delivered = b.delivered + (c.had = 0 AND c.reached > 0)::int,
      read = b.read + (c.had < 2 AND c.reached >= 2)::int,
      held_by = CASE WHEN b.held_by = $1 AND c.becomes IN ('sent', 'failed') THEN NULL ELSE b.held_by END,
      next_at = CASE WHEN b.held_by = $1 AND c.becomes IN ('sent', 'failed')
        THEN $6 + b.pause_ms * interval '1 ms' ELSE b.next_at END,
      next_look_at = CASE WHEN b.status = 'running' AND (b.held_by = $1 OR b.open <= 1) AND c.becomes IN ('sent', 'failed')
          AND c.was IN ('released', 'unknown')
        THEN $6 + (CASE WHEN b.held_by = $1 AND b.total - b.sent - b.failed - b.skipped > 1 THEN b.pause_ms ELSE 0 END) * interval '1 ms'
        ELSE b.next_look_at END
     FROM changed c WHERE b.broadcast_id = c.broadcast_id
   RETURNING b.broadcast_id, least(b.next_at, b.next_look_at) AS goes_on_at),
 varied AS (
   UPDATE variant_counts v SET
      sent = v.sent + (c.becomes = 'sent' AND c.was <> 'sent')::int,
      delivered = v.delivered + (c.had = 0 AND c.reached > 0)::int,
      read = v.read + (c.had < 2 AND c.reached >= 2)::int,
      replied = v.replied + c.answered::int
     FROM changed c WHERE v.audience_id = c.audience_id AND v.variant = c.variant)
 SELECT wanted.broadcast_id, NOT EXISTS (SELECT FROM changed) AS raced,
    CASE WHEN wanted.held_by = $1 AND wanted.becomes IN ('sent', 'failed') THEN (SELECT counted.goes_on_at FROM counted) END AS goes_on_at
   FROM wanted`;
