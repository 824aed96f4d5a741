import type { History, Sql } from '@messaging-gateway/service';

import type { Failure } from '../message/message.ts';
import { waitingColumns, WaitingRows, type WaitingRow } from '../sending/waiting-rows.ts';
import { batchStream } from './batch.ts';

type ItemStatus = 'pending' | 'sent' | 'failed' | 'cancelled';

/** A batch as it stands in the view. */
export interface BatchRow extends WaitingRow {
  readonly batch_id: string;
  readonly created_at: Date;
  readonly reason: string | null;
  readonly completed_at: Date | null;
}

export interface ItemRow {
  readonly index: number;
  readonly message_id: string;
  readonly status: ItemStatus;
  readonly settled_at: Date | null;
  readonly error: Failure | null;
}

export interface Outcome {
  readonly status: ItemStatus;
  readonly error?: Failure;
}

export type Progress = Readonly<Record<'total' | ItemStatus, number>>;

export interface BatchFilter {
  readonly organizationId: string;
  /** Absent: of all profiles. */
  readonly profileIds?: readonly string[];
  readonly status?: string;
}

/** Batches in one transaction, at most: each has up to 1000 messages, and as many events. */
const forgottenAtOnce = 5;

const chosen = `organization_id = $1 AND ($2::uuid[] IS NULL OR profile_id = ANY ($2)) AND ($3::text IS NULL OR status = $3)`;
const valuesOf = ({ organizationId, profileIds, status }: BatchFilter): unknown[] => [
  organizationId,
  profileIds,
  status,
];

const columns = `${waitingColumns}, batch_id, created_at, reason, completed_at`;
const item = 'SELECT index, message_id, status, settled_at, error FROM batch_items';

/** Queries on batches. */
export class BatchRecords {
  readonly waiting: WaitingRows<BatchRow>;
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.waiting = new WaitingRows(sql, 'batches', 'batch_id', columns);
  }

  async find(batchId: string): Promise<BatchRow | undefined> {
    const [row] = await this.#sql.query<BatchRow>(`SELECT ${columns} FROM batches WHERE batch_id = $1`, [batchId]);
    return row;
  }

  items(batchId: string): Promise<ItemRow[]> {
    return this.#sql.query<ItemRow>(`${item} where batch_id = $1 order by index`, [batchId]);
  }

  async item(batchId: string, index: number): Promise<ItemRow | undefined> {
    const [row] = await this.#sql.query<ItemRow>(`${item} where batch_id = $1 and index = $2`, [batchId, index]);
    return row;
  }

  /** A message was released, never accepted, and the batch has ended. */
  async cancelItem(batchId: string, index: number): Promise<void> {
    await this.#sql.query(
      `UPDATE batch_items SET status = 'cancelled' WHERE batch_id = $1 AND index = $2 AND status = 'pending'`,
      [batchId, index],
    );
  }

  /** A repeat of a failed message was sent, under another id than the item was to have. */
  async sentAs(batchId: string, index: number, messageId: string, outcome: Outcome, now: number): Promise<void> {
    const { status, error } = outcome;
    await this.#sql.query(
      `UPDATE batch_items SET message_id = $3, status = $4, error = $5, settled_at = CASE $4 WHEN 'pending' THEN NULL ELSE $6::timestamptz END
       WHERE batch_id = $1 AND index = $2 AND status = 'pending'`,
      [batchId, index, messageId, status, error === undefined ? null : JSON.stringify(error), new Date(now)],
    );
  }

  /** The newest first. @param before time and id of the last one of the page before */
  page(filter: BatchFilter, before: readonly [string, string] | undefined, limit: number): Promise<BatchRow[]> {
    return this.#sql.query<BatchRow>(
      `SELECT ${columns} FROM batches WHERE ${chosen} AND ($4::timestamptz IS NULL OR (created_at, batch_id) < ($4, $5::uuid))
       ORDER BY created_at DESC, batch_id DESC LIMIT $6`,
      [...valuesOf(filter), before?.[0], before?.[1], limit],
    );
  }

  async count(filter: BatchFilter): Promise<number> {
    const [row] = await this.#sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM batches WHERE ${chosen}`,
      valuesOf(filter),
    );
    return row?.total ?? 0;
  }

  /** How far batches have come, by their ids. */
  async progress(batchIds: readonly string[]): Promise<ReadonlyMap<string, Progress>> {
    const rows = await this.#sql.query<{ batch_id: string } & Progress>(
      `SELECT batch_id, count(*)::int AS total,
         count(*) FILTER (WHERE status = 'sent')::int AS sent, count(*) FILTER (WHERE status = 'failed')::int AS failed,
         count(*) FILTER (WHERE status = 'pending')::int AS pending,
         count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled
       FROM batch_items WHERE batch_id = ANY ($1::uuid[]) GROUP BY batch_id`,
      [batchIds],
    );
    return new Map(rows.map(({ batch_id, ...progress }) => [batch_id, progress]));
  }

  /** A message is settled: its batch goes on. @returns whether it is one of a batch */
  async settled(messageId: string, now: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `UPDATE batches AS batch SET next_look_at = $2 FROM batch_items AS item
       WHERE item.message_id = $1 AND batch.batch_id = item.batch_id AND batch.next_look_at IS NOT NULL RETURNING 1`,
      [messageId, new Date(now)],
    );
    return rows.length > 0;
  }

  /** Profiles of an organization that something is still to be done for. */
  async openProfiles(organizationId: string): Promise<string[]> {
    const rows = await this.#sql.query<{ profile_id: string }>(
      'SELECT DISTINCT profile_id FROM batches WHERE organization_id = $1 AND next_look_at IS NOT NULL',
      [organizationId],
    );
    return rows.map(({ profile_id: profileId }) => profileId);
  }

  /**
   * Settled items of batches are deleted after SEND_HISTORY_RETENTION_DAYS. An item that is still to be looked at is
   * not settled.
   *
   * @see docs/decisions/0486-retention-of-scheduled-messages.md
   */
  history(days: number): History {
    return {
      stream: batchStream,
      days,
      settled: async (sql, before) => {
        const rows = await sql.query<{ id: string }>(
          `SELECT batch_id AS id FROM batches WHERE completed_at < $1 AND next_look_at IS NULL
           ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
          [before, forgottenAtOnce],
        );
        return rows.map(({ id }) => id);
      },
      forget: async (sql, ids) => {
        await sql.query('DELETE FROM batch_items WHERE batch_id = ANY ($1::uuid[])', [ids]);
        await sql.query('DELETE FROM batches WHERE batch_id = ANY ($1::uuid[])', [ids]);
      },
    };
  }
}
