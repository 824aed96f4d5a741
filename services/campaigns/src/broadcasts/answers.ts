import type { Sql } from '@messaging-gateway/service';

const hour = 3_600_000;
/** A message of the person within so many hours is an answer. */
const answerHours = 72;
/** Kept of one person before it is known when the message went out. */
const mostKept = 100;

/** SQL: whether what came at a time answers a message that was sent at another. The network tells seconds. */
export const isAnswer = (time: string, sentAt: string): string =>
  `${time} >= date_trunc('second', ${sentAt}) AND ${time} < ${sentAt} + interval '${answerHours} hours'`;

/** Answers to broadcasts with variants: each person counts once, whatever is told first, the answer or that the message was sent. */
export class Answers {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Takes in that a person has written. */
  async came(profileId: string, jid: string, time: number): Promise<void> {
    await this.#sql.query(
      `WITH kept AS (
         UPDATE audience a SET answers = (coalesce(a.answers, '{}'))[:${mostKept - 1}] || $3::timestamptz,
            replied = a.status = 'sent' AND ${isAnswer('$3', 'a.settled_at')}
          WHERE a.profile_id = $1 AND (a.jid = $2 OR a.lid = $2) AND a.variant IS NOT NULL AND NOT a.replied
            AND a.released_at IS NOT NULL AND $3 >= date_trunc('second', a.released_at)
            AND (a.status <> 'sent' OR $3 < a.settled_at + interval '${answerHours} hours')
         RETURNING a.audience_id, a.variant, a.replied),
       answered AS (SELECT audience_id, variant, count(*)::int AS number FROM kept WHERE replied GROUP BY audience_id, variant)
       UPDATE variant_counts v SET replied = v.replied + answered.number FROM answered
        WHERE v.audience_id = answered.audience_id AND v.variant = answered.variant`,
      [profileId, jid, new Date(time)],
    );
  }

  /** Profiles that somebody may answer a variant of; what was told late counts too. */
  async profiles(now: number): Promise<ReadonlySet<string>> {
    const rows = await this.#sql.query<{ profile_id: string }>(
      `SELECT DISTINCT profile_id FROM broadcasts WHERE has_variants AND (completed_at IS NULL OR completed_at > $1)`,
      [new Date(now - 2 * answerHours * hour)],
    );
    return new Set(rows.map(({ profile_id }) => profile_id));
  }
}
