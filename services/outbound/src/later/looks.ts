import type { Sql } from '@messaging-gateway/service';

/** What all rows have that somebody has to look at in time. */
export interface LookedAt {
  readonly profile_id: string;
  readonly organization_id: string;
  readonly status: string;
  /** Since when it waits for its profile's connection. */
  readonly waiting_since: Date | null;
}

export const lookedAtColumns = 'profile_id, organization_id, status, waiting_since';

/** So long nobody else reaches for what was claimed, milliseconds: a replica that dies meanwhile makes no more than that late. */
const claimMs = 4000;
/** Between two looks whether a profile is connected, milliseconds; when it connects, that is told. */
const waitMs = 20_000;

const at = (time: number): Date => new Date(time);

/** When rows of a table are to be looked at next: shared by all replicas. */
export class Looks<Row extends LookedAt> {
  readonly #sql: Sql;
  readonly #table: string;
  readonly #key: string;
  readonly #columns: string;

  /** @param table with the columns of `LookedAt`, `next_look_at` and the primary key `key`; @param columns those of a `Row` */
  constructor(sql: Sql, table: 'schedules' | 'batches', key: 'schedule_id' | 'batch_id', columns: string) {
    this.#sql = sql;
    this.#table = table;
    this.#key = key;
    this.#columns = columns;
  }

  /** Takes those that are due, each for one of several replicas. */
  claim(now: number, limit: number): Promise<Row[]> {
    const [table, key] = [this.#table, this.#key];
    return this.#sql.query<Row>(
      `update ${table} set next_look_at = $2 where ${key} in (
         select ${key} from ${table} where next_look_at <= $1 order by next_look_at limit $3 for update skip locked
       ) returning ${this.#columns}`,
      [at(now), at(now + claimMs), limit],
    );
  }

  /** To be looked at then; undefined: not any more. */
  async lookAt(id: string, time: number | undefined): Promise<void> {
    await this.#sql.query(`update ${this.#table} set next_look_at = $2, waiting_since = null where ${this.#key} = $1`, [
      id,
      time === undefined ? null : at(time),
    ]);
  }

  /** Its profile is not connected: it waits, unless it has ended meanwhile. */
  async wait(id: string, now: number): Promise<void> {
    await this.#sql.query(
      `update ${this.#table} set next_look_at = $2, waiting_since = coalesce(waiting_since, $3)
       where ${this.#key} = $1 and next_look_at is not null`,
      [id, at(now + waitMs), at(now)],
    );
  }

  /** A profile is connected: what waits for that is looked at now. @returns whether anything does */
  async wake(profileId: string, now: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `update ${this.#table} set next_look_at = $2
       where profile_id = $1 and waiting_since is not null and next_look_at > $2 returning 1`,
      [profileId, at(now)],
    );
    return rows.length > 0;
  }

  /** Those of a profile that are still to be looked at. */
  async openOf(profileId: string): Promise<string[]> {
    const rows = await this.#sql.query<{ id: string }>(
      `select ${this.#key} as id from ${this.#table} where profile_id = $1 and next_look_at is not null`,
      [profileId],
    );
    return rows.map(({ id }) => id);
  }
}
