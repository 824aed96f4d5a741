import type { Sql } from '@messaging-gateway/service';
import { waitingColumns, WaitingRows, type WaitingRow } from '../later/waiting-rows.ts';
import type { Failure } from '../message/message-events.ts';

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

const chosen = `organization_id = $1 and ($2::uuid[] is null or profile_id = any ($2)) and ($3::text is null or status = $3)`;
const valuesOf = ({ organizationId, profileIds, status }: BatchFilter): unknown[] => [
  organizationId,
  profileIds,
  status,
];

const columns = `${waitingColumns}, batch_id, created_at, reason, completed_at`;
const item = 'select index, message_id, status, settled_at, error from batch_items';

/** Queries on batches. */
export class BatchRecords {
  readonly waiting: WaitingRows<BatchRow>;
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.waiting = new WaitingRows(sql, 'batches', 'batch_id', columns);
  }

  async find(batchId: string): Promise<BatchRow | undefined> {
    const [row] = await this.#sql.query<BatchRow>(`select ${columns} from batches where batch_id = $1`, [batchId]);
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
      `update batch_items set status = 'cancelled' where batch_id = $1 and index = $2 and status = 'pending'`,
      [batchId, index],
    );
  }

  /** It was sent under another id than it was to have. */
  async sentAs(batchId: string, index: number, messageId: string, outcome: Outcome, now: number): Promise<void> {
    const { status, error } = outcome;
    await this.#sql.query(
      `update batch_items set message_id = $3, status = $4, error = $5, settled_at = case $4 when 'pending' then null else $6::timestamptz end
       where batch_id = $1 and index = $2 and status = 'pending'`,
      [batchId, index, messageId, status, error === undefined ? null : JSON.stringify(error), new Date(now)],
    );
  }

  /** The newest first. @param before time and id of the last one of the page before */
  page(filter: BatchFilter, before: readonly [string, string] | undefined, limit: number): Promise<BatchRow[]> {
    return this.#sql.query<BatchRow>(
      `select ${columns} from batches where ${chosen} and ($4::timestamptz is null or (created_at, batch_id) < ($4, $5::uuid))
       order by created_at desc, batch_id desc limit $6`,
      [...valuesOf(filter), before?.[0], before?.[1], limit],
    );
  }

  async count(filter: BatchFilter): Promise<number> {
    const [row] = await this.#sql.query<{ total: number }>(
      `select count(*)::int as total from batches where ${chosen}`,
      valuesOf(filter),
    );
    return row?.total ?? 0;
  }

  /** How far batches have come, by their ids. */
  async progress(batchIds: readonly string[]): Promise<ReadonlyMap<string, Progress>> {
    const rows = await this.#sql.query<{ batch_id: string } & Progress>(
      `select batch_id, count(*)::int as total,
         count(*) filter (where status = 'sent')::int as sent, count(*) filter (where status = 'failed')::int as failed,
         count(*) filter (where status = 'pending')::int as pending,
         count(*) filter (where status = 'cancelled')::int as cancelled
       from batch_items where batch_id = any ($1::uuid[]) group by batch_id`,
      [batchIds],
    );
    return new Map(rows.map(({ batch_id, ...progress }) => [batch_id, progress]));
  }

  /** A message is settled: its batch goes on. @returns whether it is one of a batch */
  async settled(messageId: string, now: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `update batches as batch set next_look_at = $2 from batch_items as item
       where item.message_id = $1 and batch.batch_id = item.batch_id and batch.next_look_at is not null returning 1`,
      [messageId, new Date(now)],
    );
    return rows.length > 0;
  }
}
