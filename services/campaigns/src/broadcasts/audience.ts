import type { Clock } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import type { ZoneCount } from '../forecast/crowd.ts';
import { leaveOut } from './leaving-out.ts';
import { telling } from './telling.ts';

export interface RecipientError {
  readonly code: string;
  readonly message?: string;
}

/** Somebody whose turn comes. */
export interface Candidate {
  readonly place: number;
  readonly zone: string;
  readonly jid: string | null;
  readonly lid: string | null;
  readonly phone: string | null;
  readonly name: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly variant: number | null;
  readonly contact_id: string | null;
  readonly message_id: string;
  readonly round: number;
}

/** Somebody whose message was released. */
export interface Released extends Candidate {
  readonly status: 'released' | 'unknown';
  readonly released_at: Date;
}

/** What is known of a message; a receipt proves that it was sent. */
export interface Outcome {
  readonly status?: 'sent' | 'failed' | 'unknown';
  /** 1 delivered, 2 read, 3 played. */
  readonly receipt?: number;
  readonly attempts?: number;
  readonly error?: RecipientError;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A broadcast that an outcome concerns. */
export interface Concerned {
  readonly broadcastId: string;
  /** When it goes on, milliseconds since 1970: the pause is over, or nobody is left; undefined: nothing waited for this one. */
  readonly goesOnAt: number | undefined;
}

const columns = 'place, zone, jid, lid, phone, name, fields, variant, contact_id, message_id, round';
/** The same columns of a table that is called so. */
const of = (table: string): string => columns.replaceAll(/(\w+)/g, `${table}.$1`);
const at = (time: number): Date => new Date(time);
/** Fewer messages than that say nothing of how long one takes. */
const fewSent = 5;
/** SQL: why somebody who was released is to be left out now. */
const changed = `CASE WHEN a.blocked THEN 'BLOCKED'
  WHEN EXISTS (SELECT FROM audience other WHERE other.audience_id = a.audience_id AND other.contact_id = a.contact_id
    AND other.place <> a.place AND other.status <> 'skipped') THEN 'CONTACT_DELETED' END`;
/** Tries of a statement that meets another one about the same message. */
const mostTries = 20;

/**
 * The recipients of broadcasts. Each statement changes a recipient and the counts of its broadcast together, and takes the lock
 * of the broadcast's row first; told twice, or in another order, the counts are the same.
 */
export class Audience {
  readonly #sql: Sql;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(sql: Sql, clock: Pick<Clock, 'now'>) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** Some whose turn is next, of those zones, in their order. */
  next(audienceId: string, zones: readonly string[], limit: number): Promise<Candidate[]> {
    return this.#sql.query<Candidate>(
      `SELECT ${of('one')} FROM unnest($2::text[]) AS wanted (zone) CROSS JOIN LATERAL (
         SELECT ${columns} FROM audience a
          WHERE a.audience_id = $1 AND a.zone = wanted.zone AND a.status = 'pending' ORDER BY a.place LIMIT $3) AS one
        ORDER BY one.place LIMIT $3`,
      [audienceId, zones, limit],
    );
  }

  /** Those of the zones of an audience that somebody is left of. */
  async zonesLeft(audienceId: string, zones: readonly string[]): Promise<string[]> {
    const rows = await this.#sql.query<{ zone: string }>(
      `SELECT wanted.zone FROM unnest($2::text[]) AS wanted (zone)
        WHERE EXISTS (SELECT FROM audience a WHERE a.audience_id = $1 AND a.zone = wanted.zone AND a.status = 'pending')`,
      [audienceId, zones],
    );
    return rows.map(({ zone }) => zone);
  }

  /**
   * How many are left of an audience, zone by zone.
   *
   * @param all when it is known that all are in one zone, and how many are left: only their places are looked up
   */
  async left(audienceId: string, all?: Pick<ZoneCount, 'zone' | 'count'>): Promise<ZoneCount[]> {
    if (all !== undefined) {
      const [ends] = await this.#sql.query<Pick<ZoneCount, 'first' | 'last'> | Record<'first' | 'last', null>>(
        `SELECT min(place) AS first, max(place) AS last FROM audience WHERE audience_id = $1 AND zone = $2 AND status = 'pending'`,
        [audienceId, all.zone],
      );
      return ends === undefined || ends.first === null || all.count < 1 ? [] : [{ ...all, ...ends }];
    }
    return this.#sql.query<ZoneCount>(
      `SELECT zone, count(*)::int AS count, min(place) AS first, max(place) AS last
         FROM audience WHERE audience_id = $1 AND status = 'pending' GROUP BY zone`,
      [audienceId],
    );
  }

  /**
   * From the release of a message until it was settled, of the last ones of an audience.
   *
   * @returns milliseconds: those of the quickest tenth, and of one half; undefined when too few are known
   */
  async sendingTimes(audienceId: string): Promise<{ readonly quick: number; readonly usual: number } | undefined> {
    const [row] = await this.#sql.query<{ quick: number; usual: number; count: number }>(
      `SELECT percentile_cont(0.1) WITHIN GROUP (ORDER BY ms) AS quick, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS usual,
          count(*)::int AS count
         FROM (SELECT extract(epoch FROM settled_at - released_at)::float8 * 1000 AS ms FROM audience
                WHERE audience_id = $1 AND status = 'sent' AND settled_at >= released_at ORDER BY place DESC LIMIT 100) AS recent`,
      [audienceId],
    );
    return row === undefined || row.count < fewSent ? undefined : row;
  }

  /**
   * It is the turn of this one, if the broadcast runs, nothing else of it is on its way, and nobody has taken the recipient out.
   *
   * @param pauseMs between its outcome and the next one
   */
  async release(
    broadcastId: string,
    place: number,
    { pauseMs, now, lookAt }: { readonly pauseMs: number; readonly now: number; readonly lookAt: number },
  ): Promise<Released | undefined> {
    const [row] = await this.#sql.query<Released>(
      `WITH held AS MATERIALIZED (
         SELECT audience_id FROM broadcasts WHERE broadcast_id = $1 AND held_by IS NULL
            AND (status = 'running' OR (status = 'paused' AND paused_reason = 'daily_limit')) FOR UPDATE),
       taken AS (
         UPDATE audience a SET status = 'released', released_at = $3 FROM held
          WHERE a.audience_id = held.audience_id AND a.place = $2 AND a.status = 'pending'
         RETURNING a.status, a.released_at, ${of('a')}),
       noted AS (
         UPDATE broadcasts b SET open = b.open + 1, held_by = taken.message_id, pause_ms = $4, next_look_at = $5,
            waiting = NULL, waiting_until = NULL, waiting_since = NULL
           FROM taken WHERE b.broadcast_id = $1)
       SELECT status, released_at, ${columns} FROM taken`,
      [broadcastId, place, at(now), pauseMs, at(lookAt)],
    );
    return row;
  }

  /** The one whose message is on its way. */
  async byMessage(messageId: string): Promise<Released | undefined> {
    const [row] = await this.#sql.query<Released>(
      `SELECT status, released_at, ${columns} FROM audience WHERE message_id = $1 AND status IN ('released', 'unknown')`,
      [messageId],
    );
    return row;
  }

  async broadcastOf(messageId: string): Promise<string | undefined> {
    const [row] = await this.#sql.query<{ broadcast_id: string }>(
      'SELECT a.broadcast_id FROM audience a JOIN broadcasts b USING (audience_id) WHERE a.message_id = $1',
      [messageId],
    );
    return row?.broadcast_id;
  }

  /**
   * It was not handed over, and will be later, unless something has become of the contact meanwhile: under another id when this one
   * stands for a message that has failed.
   *
   * @param nextId absent: no message was accepted
   */
  async putBack(messageId: string, nextId?: string): Promise<void> {
    await this.#sql.query(
      `WITH held AS MATERIALIZED (
         SELECT b.broadcast_id, b.audience_id FROM broadcasts b JOIN audience a USING (audience_id) WHERE a.message_id = $1 FOR UPDATE OF b),
       back AS (
         UPDATE audience a SET status = CASE WHEN ${changed} IS NULL THEN 'pending' ELSE 'skipped' END,
            error = CASE WHEN ${changed} IS NOT NULL THEN jsonb_build_object('code', ${changed}) END,
            released_at = NULL, message_id = coalesce($2::uuid, a.message_id), round = a.round + ($2::uuid IS NOT NULL)::int
           FROM held WHERE a.audience_id = held.audience_id AND a.message_id = $1 AND a.status IN ('released', 'unknown')
         RETURNING a.broadcast_id, a.status)
       UPDATE broadcasts b SET open = b.open - 1, held_by = CASE WHEN b.held_by = $1 THEN NULL ELSE b.held_by END,
          skipped = b.skipped + (back.status = 'skipped')::int, next_look_at = $3 FROM back WHERE b.broadcast_id = back.broadcast_id`,
      [messageId, nextId ?? null, at(this.#clock.now())],
    );
  }

  /** The next one need not wait for it any more, though its outcome is not known. */
  async letPass(broadcastId: string, messageId: string, now: number): Promise<void> {
    await this.#sql.query(
      'UPDATE broadcasts SET held_by = NULL, next_look_at = $3 WHERE broadcast_id = $1 AND held_by = $2',
      [broadcastId, messageId, at(now)],
    );
  }

  /** Somebody who has not been released gets nothing. */
  async leaveOut(
    { audienceId, place }: { readonly audienceId: string; readonly place: number },
    code: string,
  ): Promise<void> {
    const some = { text: 'a.audience_id = $3 AND a.place = $4', values: [audienceId, place] };
    await leaveOut(this.#sql, some, code, this.#clock.now());
  }

  /**
   * Somebody whose message was released, and never handed over, gets nothing. Should it turn out to have been, that counts.
   *
   * @returns undefined when it is no message of a broadcast that is on its way
   */
  async leaveOutReleased(messageId: string, code: string): Promise<Concerned | undefined> {
    const now = this.#clock.now();
    const [row] = await this.#sql.query<{ broadcast_id: string }>(
      `WITH held AS MATERIALIZED (
         SELECT b.broadcast_id, b.audience_id FROM broadcasts b JOIN audience a USING (audience_id) WHERE a.message_id = $1 FOR UPDATE OF b),
       gone AS (
         UPDATE audience a SET status = 'skipped', error = jsonb_build_object('code', $2::text)
           FROM held WHERE a.audience_id = held.audience_id AND a.message_id = $1 AND a.status IN ('released', 'unknown')
         RETURNING a.broadcast_id)
       UPDATE broadcasts b SET skipped = b.skipped + 1, open = b.open - 1,
          held_by = CASE WHEN b.held_by = $1 THEN NULL ELSE b.held_by END, next_look_at = $3
         FROM gone WHERE b.broadcast_id = gone.broadcast_id RETURNING b.broadcast_id`,
      [messageId, code, at(now)],
    );
    return row && { broadcastId: row.broadcast_id, goesOnAt: now };
  }

  /** @returns undefined when it is no message of a broadcast */
  async settle(messageId: string, outcome: Outcome): Promise<Concerned | undefined> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const told = await this.#tell(messageId, outcome);
      if (told === undefined) return undefined;
      if (!told.raced) {
        const { broadcast_id: broadcastId, goes_on_at: goesOnAt } = told;
        return { broadcastId, goesOnAt: goesOnAt?.getTime() };
      }
    }
    throw new Error('Too many at once say something of one message.');
  }

  async #tell(messageId: string, { status, receipt = 0, attempts, error, at: time }: Outcome) {
    const [row] = await this.#sql.query<{ broadcast_id: string; raced: boolean; goes_on_at: Date | null }>(telling, [
      messageId,
      status ?? '',
      receipt,
      attempts ?? null,
      error === undefined ? null : JSON.stringify(error),
      at(time),
    ]);
    return row;
  }
}
