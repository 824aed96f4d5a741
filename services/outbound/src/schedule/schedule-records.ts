import type { Sql } from '@messaging-gateway/service';
import { waitingColumns, WaitingRows, type WaitingRow } from '../later/waiting-rows.ts';
import type { Failure } from '../message/message-events.ts';

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
    const [row] = await this.#sql.query<ScheduleRow>(`select ${columns} from schedules where schedule_id = $1`, [
      scheduleId,
    ]);
    return row;
  }

  /** Whether it is the first of its chat, in the order of their times, that is still to be looked at. */
  async isFirst({ schedule_id, conversation_id, due_at }: ScheduleRow): Promise<boolean> {
    const earlier = await this.#sql.query(
      `select 1 from schedules where conversation_id = $1 and next_look_at is not null
         and (due_at, schedule_id) < ($2, $3::uuid) limit 1`,
      [conversation_id, due_at, schedule_id],
    );
    return earlier.length === 0;
  }

  /** The first of a chat that is due is to be looked at now. @returns whether there is one */
  async wakeFirst(conversationId: string | null, now: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `update schedules set next_look_at = $2 where schedule_id = (
         select schedule_id from schedules where conversation_id = $1 and next_look_at is not null and due_at <= $2
         order by due_at, schedule_id limit 1
       ) and next_look_at > $2 returning 1`,
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
      `select ${columns} from schedules
       where profile_id = $1 and ($2::text[] is null or status = any ($2))
         and ($3::timestamptz is null or (due_at, schedule_id) > ($3, $4::uuid))
       order by due_at, schedule_id limit $5`,
      [profileId, statuses, after?.dueAt, after?.scheduleId, limit],
    );
  }

  async count(profileId: string, statuses: readonly string[] | undefined): Promise<number> {
    const [row] = await this.#sql.query<{ total: number }>(
      `select count(*)::int as total from schedules where profile_id = $1 and ($2::text[] is null or status = any ($2))`,
      [profileId, statuses],
    );
    return row?.total ?? 0;
  }
}
