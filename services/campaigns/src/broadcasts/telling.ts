import type { Sql } from '@messaging-gateway/service';
import { isAnswer } from './answers.ts';
import { together } from './together.ts';

export interface RecipientError {
  readonly code: string;
  readonly message?: string;
}

/** Outcome of a message as far as it is known; a receipt proves that it was sent. */
export interface Outcome {
  readonly status?: 'sent' | 'failed' | 'unknown';
  /** 1 delivered, 2 read, 3 played. */
  readonly receipt?: number;
  readonly attempts?: number;
  readonly error?: RecipientError;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Outcome that is told of a message. */
interface News extends Outcome {
  readonly messageId: string;
}

/** Effect of news on a broadcast. */
interface Told {
  readonly broadcast_id: string;
  /** Whether another statement was working on the broadcast at the same moment, and nothing is changed. */
  readonly missed: boolean;
  /** When the broadcast goes on, if it waited for this message. */
  readonly goes_on_at: Date | null;
}

/** SQL: the outcome settles the message. */
const ends = `becomes IN ('sent', 'failed')`;

/**
 * SQL: takes in what is told of different messages ($1): statuses ($2), receipts ($3), attempts ($4), faults ($5), and when ($6). A row
 * for each that is one of a broadcast. Broadcasts are locked before their recipients.
 */
const telling = `WITH told AS MATERIALIZED (
   SELECT told.*, (told.status = 'sent' OR told.receipt > 0) AS proves
     FROM unnest($1::uuid[], $2::text[], $3::smallint[], $4::int[], $5::text[], $6::timestamptz[])
       AS told (message_id, status, receipt, attempts, error, happened)),
 named AS MATERIALIZED (
   SELECT a.message_id, a.audience_id, a.place, b.broadcast_id
     FROM told JOIN audience a USING (message_id)
     JOIN broadcasts b ON b.audience_id = a.audience_id AND b.broadcast_id = a.broadcast_id),
 held AS MATERIALIZED (
   SELECT b.broadcast_id, b.held_by FROM broadcasts b WHERE b.broadcast_id IN (SELECT named.broadcast_id FROM named)
    ORDER BY b.broadcast_id FOR UPDATE OF b {waits}),
 found AS MATERIALIZED (
   SELECT a.message_id, a.audience_id, a.place, a.broadcast_id, a.status, a.receipt, a.variant, a.replied, a.settled_at, held.held_by,
      -- The last: left out as it had not been handed over, it seemed.
      a.status IN ('released', 'unknown') OR (a.status = 'skipped' AND a.released_at IS NOT NULL) AS waits
     FROM named JOIN held USING (broadcast_id)
     JOIN audience a ON a.audience_id = named.audience_id AND a.place = named.place AND a.message_id = named.message_id
      FOR UPDATE OF a {waits}),
 wanted AS MATERIALIZED (
   SELECT found.*, told.attempts, told.error, told.happened,
      CASE WHEN told.proves AND (found.waits OR found.status = 'failed') THEN 'sent'
           WHEN told.status = 'failed' AND found.waits THEN 'failed'
           WHEN told.status = 'unknown' AND found.status = 'released' THEN 'unknown'
           ELSE found.status END AS becomes,
      greatest(found.receipt, told.receipt)::smallint AS reached,
      -- Sent when the first proof says so; what is no proof says nothing of that.
      CASE WHEN told.proves AND (found.waits OR found.status = 'failed') THEN told.happened
           WHEN told.proves AND found.status = 'sent' THEN least(found.settled_at, told.happened)
           WHEN told.status = 'failed' AND found.waits THEN told.happened
           ELSE found.settled_at END AS since
     FROM found JOIN told USING (message_id)),
 changed AS (
   UPDATE audience a SET status = w.becomes, receipt = w.reached, settled_at = w.since,
      attempts = CASE WHEN w.${ends} THEN coalesce(w.attempts, greatest(a.attempts, 1)) ELSE a.attempts END,
      error = CASE w.becomes WHEN 'failed' THEN coalesce(w.error::jsonb, a.error) WHEN 'sent' THEN NULL ELSE a.error END,
      replied = a.replied OR (w.becomes = 'sent' AND EXISTS (SELECT FROM unnest(a.answers) AS answer (time) WHERE ${isAnswer('answer.time', 'w.since')}))
     FROM wanted w WHERE a.audience_id = w.audience_id AND a.place = w.place
   RETURNING a.message_id, a.audience_id, a.broadcast_id, w.variant, w.status AS was, w.becomes, w.receipt AS had, w.reached, w.happened,
      a.replied AND NOT w.replied AS answered,
      coalesce(w.held_by = a.message_id, false) AND w.${ends} AS frees,
      w.status IN ('released', 'unknown') AND w.${ends} AS settles),
 summed AS (
   SELECT broadcast_id,
      sum((becomes = 'sent' AND was <> 'sent')::int) AS sent,
      sum((becomes = 'failed' AND was <> 'failed')::int - (was = 'failed' AND becomes = 'sent')::int) AS failed,
      sum((was = 'skipped' AND becomes <> 'skipped')::int) AS restored,
      sum(settles::int) AS settled,
      sum((had = 0 AND reached > 0)::int) AS delivered,
      sum((had < 2 AND reached >= 2)::int) AS read,
      max(happened) FILTER (WHERE frees) AS freed_at,
      max(happened) FILTER (WHERE settles) AS settled_at
     FROM changed GROUP BY broadcast_id),
 counted AS (
   UPDATE broadcasts b SET sent = b.sent + s.sent, failed = b.failed + s.failed, skipped = b.skipped - s.restored,
      open = b.open - s.settled, delivered = b.delivered + s.delivered, read = b.read + s.read,
      held_by = CASE WHEN s.freed_at IS NULL THEN b.held_by END,
      next_at = CASE WHEN s.freed_at IS NULL THEN b.next_at ELSE s.freed_at + b.pause_ms * interval '1 ms' END,
      next_look_at = CASE
        WHEN b.status <> 'running' OR s.settled = 0 THEN b.next_look_at
        -- The pause is between messages: none comes after the last one.
        WHEN s.freed_at IS NOT NULL THEN s.freed_at + CASE
          WHEN b.total > b.sent + s.sent + b.failed + s.failed + b.skipped - s.restored THEN b.pause_ms ELSE 0 END * interval '1 ms'
        WHEN b.open <= s.settled THEN s.settled_at
        ELSE b.next_look_at END
     FROM summed s WHERE b.broadcast_id = s.broadcast_id
   RETURNING b.broadcast_id, least(b.next_at, b.next_look_at) AS goes_on_at),
 varied AS (
   UPDATE variant_counts v SET sent = v.sent + s.sent, delivered = v.delivered + s.delivered, read = v.read + s.read,
      replied = v.replied + s.replied
     FROM (SELECT audience_id, variant, sum((becomes = 'sent' AND was <> 'sent')::int) AS sent,
              sum((had = 0 AND reached > 0)::int) AS delivered, sum((had < 2 AND reached >= 2)::int) AS read,
              sum(answered::int) AS replied
             FROM changed WHERE variant IS NOT NULL GROUP BY audience_id, variant) s
    WHERE v.audience_id = s.audience_id AND v.variant = s.variant)
 SELECT named.message_id, named.broadcast_id, changed.message_id IS NULL AS missed,
    CASE WHEN changed.frees THEN (SELECT counted.goes_on_at FROM counted WHERE counted.broadcast_id = named.broadcast_id) END AS goes_on_at
   FROM named LEFT JOIN changed USING (message_id)`;
/** Waits for whatever is being done with the broadcast. */
const alone = telling.replaceAll('{waits}', '');
/** Passes over a broadcast that something is being done with. */
const shared = telling.replaceAll('{waits}', 'SKIP LOCKED');

/** Tries together with others; then a message has a statement of its own, which waits for its turn. */
const triesTogether = 3;
/** Tries of one message in all. */
const mostTries = 20;

/**
 * Takes in what is told of messages, of all broadcasts of the process together. A broadcast that something else is being done with at
 * that moment keeps no other waiting.
 *
 * @returns undefined when it is no message of a broadcast
 */
export function tellings(sql: Sql): (messageId: string, outcome: Outcome) => Promise<Told | undefined> {
  const run = async (text: string, news: readonly News[]): Promise<(Told | undefined)[]> => {
    const rows = await sql.query<Told & { readonly message_id: string }>(text, [
      news.map(({ messageId }) => messageId),
      news.map(({ status }) => status ?? ''),
      news.map(({ receipt = 0 }) => receipt),
      news.map(({ attempts }) => attempts ?? null),
      news.map(({ error }) => (error === undefined ? null : JSON.stringify(error))),
      news.map(({ at }) => new Date(at)),
    ]);
    const byMessage = new Map(rows.map((row) => [row.message_id, row]));
    return news.map(({ messageId }) => byMessage.get(messageId));
  };
  const all = together<News, Told | undefined>(
    ({ messageId }) => messageId,
    (news) => run(shared, news),
  );
  return async (messageId, outcome) => {
    const news = { messageId, ...outcome };
    for (let tries = 0; tries < mostTries; tries += 1) {
      const told = tries < triesTogether ? await all.add(news) : (await run(alone, [news]))[0];
      if (told?.missed !== true) return told;
    }
    throw new Error('Too many at once say something of one message.');
  };
}
