import { DueRows, type Sql } from '@messaging-gateway/service';
import type { BroadcastStatus, FailReason } from './broadcast.ts';

/** A row of `broadcasts`. */
export interface BroadcastRow {
  readonly broadcast_id: string;
  readonly organization_id: string;
  readonly profile_id: string;
  readonly status: BroadcastStatus;
  readonly paused_reason: 'user' | 'daily_limit' | null;
  readonly failed_reason: FailReason | null;
  readonly resumes_at: Date | null;
  readonly scheduled_at: Date | null;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly audience_id: string | null;
  readonly has_variants: boolean;
  /** Different time zones of its recipients, as `audience.zone` has them. */
  readonly zones: readonly string[];
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
  readonly delivered: number;
  readonly read: number;
  /** Released, and not settled. */
  readonly open: number;
  /** The message that the next one waits for. */
  readonly held_by: string | null;
  /** Earliest time of the next look. */
  readonly next_at: Date | null;
  readonly waiting: 'quiet_hours' | 'not_connected' | 'restricted' | 'stranger_limit' | null;
  readonly waiting_until: Date | null;
  readonly waiting_since: Date | null;
}

const columns = `broadcast_id, organization_id, profile_id, status, paused_reason, failed_reason, resumes_at, scheduled_at,
  started_at, completed_at, created_at, updated_at, audience_id, has_variants, zones, total, sent, failed, skipped, delivered, read,
  open, held_by, next_at, waiting, waiting_until, waiting_since`;

/** Between two looks at a broadcast that waits for its profile's connection, milliseconds; when it connects, that is told. */
const connectionMs = 20_000;
/** Between two looks at a broadcast whose profile is restricted, milliseconds; changes of the restriction are notified. */
const restrictionMs = 20_000;
const at = (time: number): Date => new Date(time);

/** Queries on broadcasts; what concerns single recipients is in `audience.ts`. */
export class BroadcastRecords extends DueRows<BroadcastRow> {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    super(sql, { table: 'broadcasts', key: 'broadcast_id', due: 'next_look_at', owner: 'organization_id', columns });
    this.#sql = sql;
  }

  /** How far broadcasts have come, by their ids. */
  async progress(broadcastIds: readonly string[]) {
    const rows = await this.#sql.query<
      Pick<BroadcastRow, 'broadcast_id' | 'status' | 'total' | 'sent' | 'failed' | 'skipped' | 'delivered' | 'read'>
    >(
      `SELECT broadcast_id, status, total, sent, failed, skipped, delivered, read FROM broadcasts WHERE broadcast_id = ANY ($1::uuid[])`,
      [broadcastIds],
    );
    return new Map(rows.map(({ broadcast_id: id, ...progress }) => [id, progress]));
  }

  async find(broadcastId: string): Promise<BroadcastRow | undefined> {
    const [row] = await this.#sql.query<BroadcastRow>(`SELECT ${columns} FROM broadcasts WHERE broadcast_id = $1`, [
      broadcastId,
    ]);
    return row;
  }

  async findAll(broadcastIds: readonly string[]): Promise<ReadonlyMap<string, BroadcastRow>> {
    const rows = await this.#sql.query<BroadcastRow>(
      `SELECT ${columns} FROM broadcasts WHERE broadcast_id = ANY ($1::uuid[])`,
      [broadcastIds],
    );
    return new Map(rows.map((row) => [row.broadcast_id, row]));
  }

  /** To be looked at then. */
  async lookAt(broadcastId: string, time: number): Promise<void> {
    await this.#sql.query('UPDATE broadcasts SET next_look_at = $2 WHERE broadcast_id = $1', [broadcastId, at(time)]);
  }

  /** Puts a broadcast aside until somebody wakes it, unless that has just happened. */
  async rest(broadcastId: string): Promise<void> {
    await this.#sql.query(
      `UPDATE broadcasts SET next_look_at = NULL WHERE broadcast_id = $1
          AND (status IN ('draft', 'completed', 'cancelled', 'failed') OR (status = 'paused' AND paused_reason = 'user'))`,
      [broadcastId],
    );
  }

  /** Has a broadcast wait for the connection of its profile. */
  async waitForConnection(broadcastId: string, now: number): Promise<void> {
    await this.#sql.query(
      `UPDATE broadcasts SET waiting = 'not_connected', waiting_until = NULL, waiting_since = coalesce(waiting_since, $3),
         next_look_at = $2 WHERE broadcast_id = $1 AND status = 'running'`,
      [broadcastId, at(now + connectionMs), at(now)],
    );
  }

  /** Everybody who is left sleeps. */
  async waitForMorning(broadcastId: string, until: number): Promise<void> {
    await this.#sql.query(
      `UPDATE broadcasts SET waiting = 'quiet_hours', waiting_until = $2, waiting_since = NULL, next_look_at = $2
        WHERE broadcast_id = $1 AND status = 'running'`,
      [broadcastId, at(until)],
    );
  }

  /** The profile may not write to strangers now. @param until milliseconds since 1970; Infinity: not known */
  async waitForStrangers(
    broadcastId: string,
    reason: 'restricted' | 'stranger_limit',
    until: number,
    now: number,
  ): Promise<void> {
    await this.#sql.query(
      `UPDATE broadcasts SET waiting = $4, waiting_until = $2, waiting_since = NULL, next_look_at = $3
        WHERE broadcast_id = $1 AND status = 'running'`,
      [broadcastId, Number.isFinite(until) ? at(until) : null, at(Math.min(until, now + restrictionMs)), reason],
    );
  }

  /** The account of a profile was restricted, or is not any more: its broadcasts that run are looked at now. @returns whether there are any */
  async review(profileId: string, now: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `UPDATE broadcasts SET next_look_at = $2 WHERE profile_id = $1 AND status = 'running' AND held_by IS NULL RETURNING 1`,
      [profileId, at(now)],
    );
    return rows.length > 0;
  }

  /** A profile is connected: what waits for that is looked at now. @returns whether anything does */
  async wake(profileId: string, now: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `UPDATE broadcasts SET next_look_at = $2
        WHERE profile_id = $1 AND waiting = 'not_connected' AND next_look_at > $2 RETURNING 1`,
      [profileId, at(now)],
    );
    return rows.length > 0;
  }

  /** Broadcasts of a profile that have not ended. */
  openOf(profileId: string): Promise<BroadcastRow[]> {
    return this.#sql.query<BroadcastRow>(
      `SELECT ${columns} FROM broadcasts WHERE profile_id = $1 AND status IN ('scheduled', 'running', 'paused')`,
      [profileId],
    );
  }

  /** The audience of a profile that was written to last. */
  async lastAudienceOf(profileId: string): Promise<string | undefined> {
    const [row] = await this.#sql.query<{ audience_id: string }>(
      `SELECT audience_id FROM broadcasts WHERE profile_id = $1 AND sent > 0 ORDER BY started_at DESC LIMIT 1`,
      [profileId],
    );
    return row?.audience_id;
  }

  /** Broadcasts of an organization that have not ended. */
  openOfOrganization(organizationId: string): Promise<BroadcastRow[]> {
    return this.#sql.query<BroadcastRow>(
      `SELECT ${columns} FROM broadcasts WHERE organization_id = $1 AND status IN ('scheduled', 'running', 'paused')`,
      [organizationId],
    );
  }
}
