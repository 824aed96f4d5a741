import type { Clock } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import type { ZoneCount } from '../forecast/crowd.ts';
import { leaveOut } from './leaving-out.ts';
import {
  type Candidate,
  candidateColumns as columns,
  type Released,
  releases,
  columnsOf as of,
  type Turn,
} from './releasing.ts';
import { type Outcome, tellings } from './telling.ts';

/** A broadcast that an outcome concerns. */
export interface Concerned {
  readonly broadcastId: string;
  /** When it goes on, milliseconds since 1970: the pause is over, or nobody is left; undefined: nothing waited for this one. */
  readonly goesOnAt: number | undefined;
}

const at = (time: number): Date => new Date(time);
/** Fewer messages than that say nothing of how long one takes. */
const fewSent = 5;
/** SQL: why somebody who was released is to be left out now. */
const changed = `CASE WHEN a.blocked THEN 'BLOCKED'
  WHEN a.jid IS NULL THEN 'CONTACT_DELETED'
  WHEN EXISTS (SELECT FROM audience other WHERE other.audience_id = a.audience_id AND other.contact_id = a.contact_id
    AND other.place <> a.place AND other.status <> 'skipped') THEN 'CONTACT_DELETED' END`;

/**
 * The recipients of broadcasts. Each statement changes a recipient and the counts of its broadcast together, and takes the lock
 * of the broadcast's row first; told twice, or in another order, the counts are the same.
 */
export class Audience {
  readonly #sql: Sql;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #release: ReturnType<typeof releases>;
  readonly #tell: ReturnType<typeof tellings>;

  constructor(sql: Sql, clock: Pick<Clock, 'now'>) {
    this.#sql = sql;
    this.#clock = clock;
    this.#release = releases(sql);
    this.#tell = tellings(sql);
  }

  /** Recipients whose turn is next, of those zones, in their order. */
  next(audienceId: string, zones: readonly string[], limit: number): Promise<Candidate[]> {
    return this.#sql.query<Candidate>(
      `SELECT ${of('one')} FROM unnest($2::text[]) AS wanted (zone) CROSS JOIN LATERAL (
         SELECT ${columns} FROM audience a
          WHERE a.audience_id = $1 AND a.zone = wanted.zone AND a.status = 'pending' ORDER BY a.place LIMIT $3) AS one
        ORDER BY one.place LIMIT $3`,
      [audienceId, zones, limit],
    );
  }

  /** Zones of an audience in which somebody is left. */
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

  /** Releases the recipient, if the broadcast runs, nothing else of it is on its way, and nobody has taken the recipient out. */
  release(turn: Turn): Promise<Released | undefined> {
    return this.#release(turn);
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
   * Puts a message back that was not handed over, to be sent later, unless something has become of the contact
   * meanwhile: under another id when this one stands for a message that has failed.
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

  /** Leaves a recipient out who has not been released. */
  async leaveOut(
    { audienceId, place }: { readonly audienceId: string; readonly place: number },
    code: string,
  ): Promise<void> {
    const some = { text: 'a.audience_id = $3 AND a.place = $4', values: [audienceId, place] };
    await leaveOut(this.#sql, some, code, this.#clock.now());
  }

  /**
   * Leaves a recipient out whose message was released, and never handed over. Should it turn out to have been, that
   * counts.
   *
   * @returns undefined when it is no message of a broadcast that is on its way
   */
  async leaveOutReleased(messageId: string, code: string): Promise<Concerned | undefined> {
    const now = this.#clock.now();
    const [row] = await this.#sql.query<{ broadcast_id: string }>(
      `WITH held AS MATERIALIZED (
         SELECT b.broadcast_id, b.audience_id FROM broadcasts b JOIN audience a USING (audience_id) WHERE a.message_id = $1 FOR UPDATE OF b),
       gone AS (
         UPDATE audience a SET status = 'skipped', error = jsonb_build_object('code', CASE WHEN a.blocked THEN 'BLOCKED' ELSE $2::text END)
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
    const told = await this.#tell(messageId, outcome);
    return told && { broadcastId: told.broadcast_id, goesOnAt: told.goes_on_at?.getTime() };
  }
}
