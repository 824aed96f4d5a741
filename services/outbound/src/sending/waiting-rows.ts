import { DueRows, type Sql } from '@messaging-gateway/service';

/** Columns of all rows that are sent later and may have to wait for the connection of their profile. */
export interface WaitingRow {
  readonly profile_id: string;
  readonly organization_id: string;
  readonly status: string;
  /** Since when it waits for its profile's connection. */
  readonly waiting_since: Date | null;
}

export const waitingColumns = 'profile_id, organization_id, status, waiting_since';

/** Between two looks whether a profile is connected, milliseconds; when it connects, that is told. */
const waitMs = 20_000;

const at = (time: number): Date => new Date(time);

/** When rows of a table are to be looked at next: shared by all replicas. */
export class WaitingRows<Row extends WaitingRow> extends DueRows<Row> {
  readonly #sql: Sql;
  readonly #table: string;
  readonly #key: string;

  /** @param table with the columns of `WaitingRow`, `next_look_at` and the primary key `key`; @param columns those of a `Row` */
  constructor(sql: Sql, table: 'schedules' | 'batches', key: 'schedule_id' | 'batch_id', columns: string) {
    super(sql, { table, key, due: 'next_look_at', owner: 'organization_id', columns });
    this.#sql = sql;
    this.#table = table;
    this.#key = key;
  }

  /** To be looked at then; undefined: not any more. */
  async lookAt(id: string, time: number | undefined): Promise<void> {
    await this.#sql.query(`UPDATE ${this.#table} SET next_look_at = $2, waiting_since = NULL WHERE ${this.#key} = $1`, [
      id,
      time === undefined ? null : at(time),
    ]);
  }

  /** Has a row wait whose profile is not connected, unless it has ended meanwhile. */
  async wait(id: string, now: number): Promise<void> {
    await this.#sql.query(
      `UPDATE ${this.#table} SET next_look_at = $2, waiting_since = coalesce(waiting_since, $3)
        WHERE ${this.#key} = $1 AND next_look_at IS NOT NULL`,
      [id, at(now + waitMs), at(now)],
    );
  }

  /** A profile is connected: what waits for that is looked at now. @returns whether anything does */
  async wake(profileId: string, now: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `UPDATE ${this.#table} SET next_look_at = $2
        WHERE profile_id = $1 AND waiting_since IS NOT NULL AND next_look_at > $2 RETURNING 1`,
      [profileId, at(now)],
    );
    return rows.length > 0;
  }

  /** Ids of a profile's rows that are still to be looked at. */
  async openOf(profileId: string): Promise<string[]> {
    const rows = await this.#sql.query<{ id: string }>(
      `SELECT ${this.#key} AS id FROM ${this.#table} WHERE profile_id = $1 AND next_look_at IS NOT NULL`,
      [profileId],
    );
    return rows.map(({ id }) => id);
  }
}
