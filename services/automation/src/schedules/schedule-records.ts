import { DueRows, type History, type Sql } from '@messaging-gateway/service';
import { firingStream } from './firing.ts';

/** A row of `schedules` that is due. */
export interface ScheduleRow {
  readonly flow_id: string;
  readonly organization_id: string;
  readonly profile_id: string;
  readonly cron: string;
  readonly timezone: string;
  readonly next_at: Date | null;
  readonly firing_id: string | null;
}

const columns = 'flow_id, organization_id, profile_id, cron, timezone, next_at, firing_id';
const forgottenAtOnce = 500;

/** Queries on flows that fire at times. */
export class ScheduleRecords extends DueRows<ScheduleRow> {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    super(sql, { table: 'schedules', key: 'flow_id', due: 'look_at', owner: 'organization_id', columns });
    this.#sql = sql;
  }

  /** To be looked at then, as long as it fires. */
  async lookAt(flowId: string, firingId: string, time: number): Promise<void> {
    await this.#sql.query('UPDATE schedules SET look_at = $3 WHERE flow_id = $1 AND firing_id = $2', [
      flowId,
      firingId,
      new Date(time),
    ]);
  }

  /** Goes on to the next time of a flow that has fired at this minute already. */
  async pass(flowId: string, minute: number, next: number | undefined): Promise<void> {
    await this.#sql.query(
      'UPDATE schedules SET next_at = $3, look_at = $3 WHERE flow_id = $1 AND next_at <= $2 AND firing_id IS NULL',
      [flowId, new Date(minute), next === undefined ? null : new Date(next)],
    );
  }

  /** Runs of a flow that are being carried out, without those that wait for their time; no more are counted than `most`. */
  async running(flowId: string, most: number): Promise<number> {
    const [row] = await this.#sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM (
         SELECT 1 FROM runs WHERE answerer_id = $1 AND ended_at IS NULL AND status = 'running' LIMIT $2) open`,
      [flowId, most],
    );
    return row?.total ?? 0;
  }

  /** Firings that are over go with their streams. */
  history(days: number): History {
    return {
      stream: firingStream,
      days,
      settled: async (sql, before) => {
        const rows = await sql.query<{ id: string }>(
          `SELECT firing_id AS id FROM firings WHERE ended_at < $1 ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
          [before, forgottenAtOnce],
        );
        return rows.map(({ id }) => id);
      },
      forget: async (sql, ids) =>
        void (await sql.query('DELETE FROM firings WHERE firing_id = ANY ($1::uuid[])', [ids])),
    };
  }
}
