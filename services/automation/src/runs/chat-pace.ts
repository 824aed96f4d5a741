import { Batcher, every, type Job, type Sql } from '@messaging-gateway/service';
import type { Clock } from '@messaging-gateway/runtime';
import { mostAlike, mostAMinute, type PaceRequest } from './pace-guard.ts';
import type { RefusedReason } from './run.ts';
import type { StartRequest } from './start-guard.ts';

interface HumanWord {
  readonly conversationId: string;
  readonly at: Date;
}

const dayMs = 86_400_000;
const together = 500;
/** Pause between writes, for which nobody waits, milliseconds. */
const restMs = 50;

/** The pace of automation in chats as it is known. Guards decide by it; the reason of a refusal is told here. */
export class ChatPace {
  readonly #sql: Sql;
  readonly #humans: Batcher<HumanWord, void>;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#humans = new Batcher<HumanWord, void>(
      async (words) => {
        await sql.query(
          `UPDATE chat_pace held SET human_at = greatest(held.human_at, given.at), used_at = greatest(held.used_at, given.at),
                  muted_until = CASE WHEN held.muted_until > given.at THEN NULL ELSE held.muted_until END
             FROM (SELECT conversation_id, max(at) AS at
                     FROM unnest($1::uuid[], $2::timestamptz[]) AS told(conversation_id, at)
                    GROUP BY conversation_id ORDER BY conversation_id) given
            WHERE held.conversation_id = given.conversation_id`,
          [words.map(({ conversationId }) => conversationId), words.map(({ at }) => at)],
        );
        return words.map(() => undefined);
      },
      together,
      restMs,
    );
  }

  /** Notes that a human of ours wrote to a chat: automatic messages there before count no more towards muting it. */
  human(conversationId: string, at: Date): Promise<void> {
    return this.#humans.add({ conversationId, at });
  }

  /** Why an answerer may not begin; `changed`: it is not as it was looked at; undefined: nothing stands against it any more. */
  async whyNotStart(asked: StartRequest): Promise<'changed' | RefusedReason | undefined> {
    const { answererId, conversationId, runId, version, at } = asked;
    const [row] = await this.#sql.query<{ current: boolean; muted: boolean; cooling: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM answerers WHERE id = $1 AND version = $2 AND enabled) AS current,
              EXISTS (SELECT 1 FROM chat_pace WHERE conversation_id = $3 AND muted_until > $4) AS muted,
              EXISTS (SELECT 1 FROM cooldowns WHERE answerer_id = $1 AND conversation_id = $3 AND until > $4 AND run_id <> $5)
                AS cooling`,
      [answererId, version, conversationId, new Date(at), runId],
    );
    if (row?.current !== true) return 'changed';
    if (row.muted) return 'muted';
    return row.cooling ? 'cooldown' : undefined;
  }

  /** Why a message may not go to a chat; undefined: nothing stands against it any more. */
  async whyNotSend(asked: PaceRequest): Promise<RefusedReason | undefined> {
    const { conversationId, digest, at } = asked;
    const [row] = await this.#sql.query<{ muted: boolean; crowded: boolean; alike: boolean }>(
      `SELECT coalesce(muted_until > $2, false) AS muted,
              (SELECT count(*) FROM unnest(times) AS sent(at) WHERE sent.at > $2 - interval '1 minute') >= ${mostAMinute} AS crowded,
              (SELECT count(*) FROM unnest(times, digests) AS sent(at, digest)
                WHERE sent.digest = $3 AND sent.at > $2 - interval '10 minutes') >= ${mostAlike} AS alike
         FROM chat_pace WHERE conversation_id = $1`,
      [conversationId, new Date(at), digest],
    );
    if (row === undefined) return undefined;
    if (row.muted) return 'muted';
    if (row.crowded) return 'rate_limited';
    return row.alike ? 'same_text' : undefined;
  }

  /** Until when automation keeps still in a chat. */
  async mutedUntil(conversationId: string): Promise<Date | undefined> {
    const [row] = await this.#sql.query<{ muted_until: Date | null }>(
      'SELECT muted_until FROM chat_pace WHERE conversation_id = $1',
      [conversationId],
    );
    return row?.muted_until ?? undefined;
  }

  /** A chat whose row was taken away counts anew. */
  async begin({ conversationId }: PaceRequest, organizationId: string, profileId: string, now: number): Promise<void> {
    await this.#sql.query(
      `INSERT INTO chat_pace (conversation_id, organization_id, profile_id, used_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (conversation_id) DO NOTHING`,
      [conversationId, organizationId, profileId, new Date(now)],
    );
  }
}

/** Takes away what can hold nobody back any more. */
export const forgettingPace = (sql: Sql, clock: Clock): Job =>
  every(
    '1h',
    'pace of chats',
    async (signal) => {
      const gone = [
        [`chat_pace`, 'conversation_id', `used_at < $1 AND (muted_until IS NULL OR muted_until < $1)`],
        [`cooldowns`, 'conversation_id', `until < $1`],
      ] as const;
      for (const [table, , settled] of gone)
        for (let more = true; more && !signal.aborted;) {
          const rows = await sql.query(
            `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${settled} LIMIT 5000)) RETURNING 1`,
            [new Date(clock.now() - 2 * dayMs)],
          );
          more = rows.length === 5000;
        }
    },
    { alone: true },
  );
