import type { History, Sql } from '@messaging-gateway/service';

import type { Failure } from '../message/message.ts';
import { waitingColumns, WaitingRows, type WaitingRow } from '../sending/waiting-rows.ts';
import { scheduleStream } from './schedule.ts';

/** A scheduled message as it stands in the view. */
export interface ScheduleRow extends WaitingRow {
  readonly schedule_id: string;
  /** Null: made before the chats were noted. */
  readonly conversation_id: string | null;
  readonly due_at: Date;
  /** `released`: on its way into its lane or in it. */
  readonly status: 'pending' | 'released' | 'sent' | 'failed' | 'cancelled';
  readonly late: boolean;
  readonly sent_at: Date | null;
  readonly error: Failure | null;
}

/** Scheduled messages in one transaction, at most. */
const forgottenAtOnce = 500;

const columns = `${waitingColumns}, schedule_id, conversation_id, due_at, late, sent_at, error`;

/** Queries on scheduled messages. */
export class ScheduleRecords {
  readonly waiting: WaitingRows<ScheduleRow>;
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.waiting = new WaitingRows(sql, 'schedules', 'schedule_id', columns);
  }

  async find(scheduleId: string): Promise<ScheduleRow | undefined> {
    const [row] = await this.#sql.query<ScheduleRow>(`SELECT ${columns} FROM schedules WHERE schedule_id = $1`, [
      scheduleId,
    ]);
    return row;
  }

  /** Whether it is the first of its chat, in the order of their times, that is still to be looked at. */
  async isFirst({ schedule_id, conversation_id, due_at }: ScheduleRow): Promise<boolean> {
    const earlier = await this.#sql.query(
      `SELECT 1 FROM schedules WHERE conversation_id = $1 AND next_look_at IS NOT NULL
         AND (due_at, schedule_id) < ($2, $3::uuid) LIMIT 1`,
      [conversation_id, due_at, schedule_id],
    );
    return earlier.length === 0;
  }

  /** The first of a chat that is due is to be looked at now. @returns whether there is one */
  async wakeFirst(conversationId: string | null, now: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `UPDATE schedules SET next_look_at = $2 WHERE schedule_id = (
         SELECT schedule_id FROM schedules WHERE conversation_id = $1 AND next_look_at IS NOT NULL AND due_at <= $2
         ORDER BY due_at, schedule_id LIMIT 1
       ) AND next_look_at > $2 RETURNING 1`,
      [conversationId, new Date(now)],
    );
    return rows.length > 0;
  }

  /** In the order of their times. @param after times and id of the last one of the page before */
  page(
    profileId: string,
    statuses: readonly string[] | undefined,
    after: { readonly dueAt: string; readonly scheduleId: string } | undefined,
    limit: number,
  ): Promise<ScheduleRow[]> {
    return this.#sql.query<ScheduleRow>(
      `SELECT ${columns} FROM schedules
       WHERE profile_id = $1 AND ($2::text[] IS NULL OR status = ANY ($2))
         AND ($3::timestamptz IS NULL OR (due_at, schedule_id) > ($3, $4::uuid))
       ORDER BY due_at, schedule_id LIMIT $5`,
      [profileId, statuses, after?.dueAt, after?.scheduleId, limit],
    );
  }

  async count(profileId: string, statuses: readonly string[] | undefined): Promise<number> {
    const [row] = await this.#sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM schedules WHERE profile_id = $1 AND ($2::text[] IS NULL OR status = ANY ($2))`,
      [profileId, statuses],
    );
    return row?.total ?? 0;
  }

  /** Profiles of an organization that something is still to be done for. */
  async openProfiles(organizationId: string): Promise<string[]> {
    const rows = await this.#sql.query<{ profile_id: string }>(
      'SELECT DISTINCT profile_id FROM schedules WHERE organization_id = $1 AND next_look_at IS NOT NULL',
      [organizationId],
    );
    return rows.map(({ profile_id: profileId }) => profileId);
  }

  /**
   * Settled schedules are deleted after SEND_HISTORY_RETENTION_DAYS. A schedule that is still to be looked at is not
   * settled.
   *
   * @see docs/decisions/0486-retention-of-scheduled-messages.md
   */
  history(days: number): History {
    return {
      stream: scheduleStream,
      days,
      settled: async (sql, before) => {
        const rows = await sql.query<{ id: string }>(
          `SELECT schedule_id AS id FROM schedules
           WHERE coalesce(settled_at, due_at) < $1 AND next_look_at IS NULL AND status IN ('sent', 'failed', 'cancelled')
           ORDER BY coalesce(settled_at, due_at) LIMIT $2 FOR UPDATE SKIP LOCKED`,
          [before, forgottenAtOnce],
        );
        return rows.map(({ id }) => id);
      },
      forget: async (sql, ids) => {
        await sql.query('DELETE FROM schedules WHERE schedule_id = ANY ($1::uuid[])', [ids]);
      },
    };
  }
}
