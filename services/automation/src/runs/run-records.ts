import { DueRows, type History, type Sql } from '@messaging-gateway/service';
import { runStream, type CancelledReason, type RefusedReason, type RunStatus } from './run.ts';
import type { StepContext } from '../step.ts';

/** A row of `runs`. */
export interface RunRow {
  readonly run_id: string;
  readonly organization_id: string;
  readonly profile_id: string;
  readonly answerer_id: string;
  readonly kind: string;
  readonly conversation_id: string;
  readonly message_id: string | null;
  readonly status: RunStatus;
  readonly reason: RefusedReason | CancelledReason | null;
  readonly started_at: Date;
  readonly ended_at: Date | null;
}

const columns =
  'run_id, organization_id, profile_id, answerer_id, kind, conversation_id, message_id, status, reason, started_at, ended_at';
const selectRuns = `SELECT ${columns} FROM runs`;
const forgottenAtOnce = 500;
/** Messages before one that are answered together with it, at most. */
const mostGathered = 50;

/** Of whom runs are. */
export type RunsOf = 'conversation_id' | 'answerer_id' | 'profile_id' | 'organization_id';

type Place = Pick<StepContext, 'runId' | 'answererId' | 'conversationId'>;

/** Queries on runs. */
export class RunRecords extends DueRows<RunRow> {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    super(sql, { table: 'runs', key: 'run_id', due: 'next_look_at', owner: 'organization_id', columns });
    this.#sql = sql;
  }

  /** To be looked at then, if it has not ended; null: when somebody says so. */
  async lookAt(runId: string, time: number | null): Promise<void> {
    await this.#sql.query('UPDATE runs SET next_look_at = $2 WHERE run_id = $1 AND ended_at IS NULL', [
      runId,
      time === null ? null : new Date(time),
    ]);
  }

  /** Whether what answers was taken away meanwhile. */
  async isTakenAway({ answerer_id }: Pick<RunRow, 'answerer_id'>): Promise<boolean> {
    const [row] = await this.#sql.query<{ deleted: boolean }>('SELECT deleted FROM answerers WHERE id = $1', [
      answerer_id,
    ]);
    return row?.deleted !== false;
  }

  /** Whether the same answerer has begun to answer a later message of the chat. */
  async hasLater({ runId, answererId, conversationId }: Place): Promise<boolean> {
    const [row] = await this.#sql.query<{ later: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM runs later JOIN runs mine ON mine.run_id = $1
          WHERE later.conversation_id = $2 AND later.answerer_id = $3 AND later.status <> 'refused'
            AND (later.started_at, later.run_id) > (mine.started_at, mine.run_id)) AS later`,
      [runId, conversationId, answererId],
    );
    return row?.later === true;
  }

  /**
   * Earlier messages that wait to be answered together with that of a run, oldest first: their runs have ended for a later one, or will
   * when they are looked at.
   */
  async gathered({ runId, answererId, conversationId }: Place): Promise<readonly string[]> {
    const rows = await this.#sql.query<{ message_id: string }>(
      `WITH earlier AS (
         SELECT r.message_id, r.started_at, r.run_id, r.status = 'waiting' OR coalesce(r.reason = 'superseded', false) AS gathered
           FROM runs r JOIN runs mine ON mine.run_id = $1
          WHERE r.conversation_id = $2 AND r.answerer_id = $3 AND r.status <> 'refused'
            AND (r.started_at, r.run_id) < (mine.started_at, mine.run_id)
          ORDER BY r.started_at DESC, r.run_id DESC LIMIT ${mostGathered})
       SELECT message_id FROM earlier one
        WHERE message_id IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM earlier other
                           WHERE NOT other.gathered AND (other.started_at, other.run_id) >= (one.started_at, one.run_id))
        ORDER BY started_at, run_id`,
      [runId, conversationId, answererId],
    );
    return rows.map(({ message_id }) => message_id);
  }

  /** The run of a message, if it has not ended. */
  async ofMessage(messageId: string): Promise<RunRow | undefined> {
    const [row] = await this.#sql.query<RunRow>(
      `${selectRuns} WHERE run_id = (SELECT run_id FROM run_messages WHERE message_id = $1) AND ended_at IS NULL`,
      [messageId],
    );
    return row;
  }

  /** Runs of a chat, an answerer, a profile or an organization that have not ended. */
  async open(of: RunsOf, id: string): Promise<readonly RunRow[]> {
    return this.#sql.query<RunRow>(`${selectRuns} WHERE ${of} = $1 AND ended_at IS NULL`, [id]);
  }

  /** Ended runs go with their streams. */
  history(days: number): History {
    return {
      stream: runStream,
      days,
      settled: async (sql, before) => {
        const rows = await sql.query<{ id: string }>(
          `SELECT run_id AS id FROM runs WHERE ended_at < $1 ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
          [before, forgottenAtOnce],
        );
        return rows.map(({ id }) => id);
      },
      forget: async (sql, ids) => {
        await sql.query('DELETE FROM run_messages WHERE run_id = ANY ($1::uuid[])', [ids]);
        await sql.query('DELETE FROM runs WHERE run_id = ANY ($1::uuid[])', [ids]);
      },
    };
  }
}
