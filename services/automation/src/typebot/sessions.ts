import type { Clock, EncryptionKeys } from '@messaging-gateway/runtime';
import { every, type Job, type Sql } from '@messaging-gateway/service';
import { openSecret, sealSecret } from '../answerers/secrets.ts';
import type { Content, StepContext } from '../step.ts';

/** A choice that the bot has offered: what is said for it, in words. */
export interface Offered {
  readonly options: readonly string[];
  readonly several: boolean;
}

/** A session of the bot in a chat. */
export interface BotSession {
  readonly sessionId: string;
  readonly offered?: Offered;
}

/** Answer of the bot to a run. */
export interface BotAnswer {
  readonly contents: readonly Content[];
  readonly ignored: readonly string[];
}

/** Sealed part of a session's row. */
interface Kept {
  readonly session?: BotSession;
  readonly last?: BotAnswer & { readonly runId: string };
}

/** Turn of a run; `answer`: the one that it had before something died. */
export interface Turn {
  readonly session: BotSession | undefined;
  readonly answer: BotAnswer | undefined;
}

type Asker = Pick<StepContext, 'runId' | 'organizationId' | 'answererId' | 'conversationId' | 'startedAt' | 'now'>;

/** A run may hold its turn for so long, milliseconds: longer than the bot may take. */
const holdMs = 60_000;
/** An earlier message that has no answer after so long is waited for no more, milliseconds. */
const patienceMs = 60_000;
/** So many runs are remembered as answered. */
const mostAnswered = 30;
const dayMs = 86_400_000;
/** Sessions that never expire are forgotten after so many days without a word. */
const forgottenDays = 400;

/**
 * Sessions of Typebot, one for each chat. Messages of a chat have their turns, in their order, over all replicas: a session is
 * asked one thing at a time.
 */
export class BotSessions {
  readonly #sql: Sql;
  readonly #encryption: EncryptionKeys;

  constructor(sql: Sql, encryption: EncryptionKeys) {
    this.#sql = sql;
    this.#encryption = encryption;
  }

  /** Whether a dialogue is under way. */
  async isOpen(conversationId: string, now: number): Promise<boolean> {
    const [row] = await this.#sql.query<{ open: boolean }>(
      `SELECT is_open AND (expires_at IS NULL OR expires_at > $2) AS open FROM typebot_sessions WHERE conversation_id = $1`,
      [conversationId, new Date(now)],
    );
    return row?.open === true;
  }

  /**
   * Takes the turn of a run. A session that somebody has asked, and died before the answer was kept, is no more: the bot may
   * stand elsewhere by now, and what is said would be taken for the answer to another question.
   *
   * @returns until when it has to wait, milliseconds since 1970, or its turn
   */
  async take(asker: Asker): Promise<{ readonly until: number } | Turn> {
    const { runId, organizationId, answererId, conversationId, startedAt, now } = asker;
    const [earlier] = await this.#sql.query(
      `SELECT 1 FROM runs earlier
        WHERE earlier.conversation_id = $1 AND earlier.answerer_id = $2 AND earlier.ended_at IS NULL
          AND (earlier.started_at, earlier.run_id) < ($3, $4) AND earlier.started_at > $5
          AND (earlier.status = 'waiting' OR NOT EXISTS (
                 SELECT 1 FROM typebot_sessions held WHERE held.conversation_id = $1 AND earlier.run_id = ANY (held.answered)))
        LIMIT 1`,
      [conversationId, answererId, new Date(startedAt), runId, new Date(now - patienceMs)],
    );
    if (earlier !== undefined) return { until: now };
    const [row] = await this.#sql.query<{
      held_by: string | null;
      busy_until: Date | null;
      sealed: string | null;
      asking: string | null;
      expires_at: Date | null;
      is_open: boolean;
    }>(
      `INSERT INTO typebot_sessions AS held (conversation_id, organization_id, held_by, held_until, used_at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (conversation_id) DO UPDATE SET
         held_by = CASE WHEN held.held_until > $5 OR held.busy_until > $5 AND NOT ($3 = ANY (held.answered)) THEN held.held_by ELSE excluded.held_by END,
         held_until = CASE WHEN held.held_until > $5 OR held.busy_until > $5 AND NOT ($3 = ANY (held.answered)) THEN held.held_until ELSE excluded.held_until END
       RETURNING held_by, busy_until, sealed, asking, expires_at, is_open`,
      [conversationId, organizationId, runId, new Date(now + holdMs), new Date(now)],
    );
    if (row === undefined || row.held_by !== runId) return { until: Math.max(now, row?.busy_until?.getTime() ?? 0) };
    const { session, last } = row.sealed === null ? ({} as Kept) : this.#opened(organizationId, row.sealed);
    const isOver = !row.is_open || row.asking !== null || (row.expires_at !== null && row.expires_at.getTime() <= now);
    return {
      session: isOver ? undefined : session,
      answer: last?.runId === runId ? { contents: last.contents, ignored: last.ignored } : undefined,
    };
  }

  /** The session is about to be asked something that must not be asked twice. */
  async asks({ runId, conversationId }: Asker): Promise<void> {
    await this.#sql.query('UPDATE typebot_sessions SET asking = $2 WHERE conversation_id = $1 AND held_by = $2', [
      conversationId,
      runId,
    ]);
  }

  /**
   * Keeps what came of it, and gives the turn to the next. What was closed meanwhile stays closed.
   *
   * @param session undefined: there is none any more
   * @param expireMinutes 0: it never expires
   */
  async keep(
    { runId, organizationId, conversationId }: Asker,
    answer: BotAnswer,
    { session, expireMinutes, now }: { session: BotSession | undefined; expireMinutes: number; now: number },
  ): Promise<void> {
    const kept: Kept = { ...(session && { session }), last: { ...answer, runId } };
    const pausesMs = answer.contents.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0);
    await this.#sql.query(
      `UPDATE typebot_sessions SET sealed = $3, is_open = $4, expires_at = $5, busy_until = $6, used_at = $7, asking = NULL,
              held_by = NULL, held_until = NULL,
              answered = (answered || $2::uuid)[greatest(1, cardinality(answered) - ${mostAnswered - 2}):]
        WHERE conversation_id = $1 AND held_by = $2`,
      [
        conversationId,
        runId,
        sealSecret(this.#encryption, organizationId, JSON.stringify(kept)),
        session !== undefined,
        expireMinutes === 0 ? null : new Date(now + expireMinutes * 60_000),
        pausesMs === 0 ? null : new Date(now + pausesMs),
        new Date(now),
      ],
    );
  }

  /** A human has taken over these chats. */
  async close(conversationIds: readonly string[]): Promise<void> {
    await this.#sql.query('DELETE FROM typebot_sessions WHERE conversation_id = ANY ($1::uuid[])', [conversationIds]);
  }

  /** Takes away what nobody goes on with. */
  forgetting(clock: Clock): Job {
    return every('1h', 'sessions of bots', async () => {
      const now = clock.now();
      await this.#sql.query(
        `DELETE FROM typebot_sessions WHERE used_at < $1 AND (NOT is_open OR expires_at < $1 OR used_at < $2)`,
        [new Date(now - dayMs), new Date(now - forgottenDays * dayMs)],
      );
    });
  }

  #opened(organizationId: string, sealed: string): Kept {
    return JSON.parse(openSecret(this.#encryption, organizationId, sealed)) as Kept;
  }
}
