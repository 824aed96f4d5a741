import { randomUUID } from 'node:crypto';
import type { Logger } from '@messaging-gateway/runtime';
import type { Standing } from './balance.ts';
import { Heartbeat, letGoAfter } from './heartbeat.ts';
import { inTime } from './in-time.ts';
import { type Leasable, type Lease, type LeaseSql, usualTtlMs } from './lease.ts';

export interface LeasesParts {
  readonly sql: LeaseSql;
  readonly log: Logger;
  /** No other replica can live: whoever stands in a row is gone, and nothing is ever let go. */
  readonly isAlone: boolean;
  /**
   * This replica could not renew for two thirds of the time to live: what it holds must be closed now, before others
   * may think it dead. Never called of a replica that is alone.
   */
  readonly onLost: () => void;
  /** A replica whose last heartbeat is older than this is dead to the others, milliseconds: the same for all of them. */
  readonly ttlMs?: number | undefined;
  /** Default: a new one, since a process that starts anew holds nothing. */
  readonly replicaId?: string;
  /** Milliseconds that never jump. */
  readonly monotonic?: () => number;
}

/**
 * Has come to be heard of for a whole time to live by the database's clock as well. After a jump of that clock the
 * living look dead until their next heartbeat; the run of whoever beats first begins anew then, so it takes nothing.
 */
const isSteadyInTable = (id: string, seconds: string): string =>
  `EXISTS (SELECT FROM replicas r WHERE r.id = ${id} AND r.beating_since <= clock_timestamp() - make_interval(secs => ${seconds}))`;

/**
 * By the database's clock, at the moment of the statement. The one who claims is looked at as well: a claim that a
 * stopped database carries out when it goes on must not find everybody else dead.
 */
const isAliveInTable = (id: string, seconds: string): string =>
  `EXISTS (SELECT FROM replicas r WHERE r.id = ${id} AND r.heartbeat_at > clock_timestamp() - make_interval(secs => ${seconds}))`;

/**
 * Leases of sockets and lanes alike (docs/decisions/0290): replicas heartbeat, and a row per key names owner and
 * epoch. A key whose holder is dead is taken only by a replica whose own heartbeats have succeeded for a whole time to
 * live. What nobody holds, or what the row still gives to this replica, it takes as soon as it is alive.
 *
 * @see docs/decisions/0290-leases-for-sockets-and-lanes.md
 */
export class Leases {
  readonly replicaId: string;
  readonly ttlMs: number;
  readonly #sql: LeaseSql;
  readonly #isAlone: boolean;
  readonly #heartbeat: Heartbeat;
  #isDraining = false;

  constructor({ sql, log, isAlone, onLost, ttlMs = usualTtlMs, replicaId = randomUUID(), monotonic }: LeasesParts) {
    this.replicaId = replicaId;
    this.ttlMs = ttlMs;
    this.#sql = inTime(sql, letGoAfter(ttlMs));
    this.#isAlone = isAlone;
    this.#heartbeat = new Heartbeat({
      sql: this.#sql,
      replicaId,
      ttlMs,
      log,
      monotonic: monotonic ?? (() => performance.now()),
      onLost: isAlone ? () => undefined : onLost,
    });
  }

  /** Begins to heartbeat. A database that is away does not keep it from starting. */
  start(): Promise<void> {
    return this.#heartbeat.start();
  }

  /** One look at the own heartbeat, as `start` has it done three times per heartbeat. For tests that move the time. */
  beat(): Promise<void> {
    return this.#heartbeat.beat();
  }

  /** Leaves: what it still holds may be taken by others at once. Close it before. */
  async stop(): Promise<void> {
    this.#isDraining = true;
    await this.#heartbeat.stop();
  }

  /** May go on with what it holds: checked before each use, it bounds what a replica does after a pause. */
  isAlive(): boolean {
    return this.#isAlone || this.#heartbeat.isAlive();
  }

  /** May take over from the dead. */
  isSteady(): boolean {
    return this.#isAlone || this.#heartbeat.isSteady();
  }

  isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on it takes nothing, and counts for nobody's share. For a replica that is about to stop. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.#sql.query('UPDATE replicas SET is_draining = true WHERE id = $1', [this.replicaId]);
  }

  /**
   * Takes those keys that this replica may take. One that it holds already gets a higher epoch.
   *
   * @returns the leases taken: none when it drains, or has not renewed of late
   */
  async claim(keys: readonly Leasable[]): Promise<Lease[]> {
    if (keys.length === 0 || this.#isDraining || !this.isAlive()) return [];
    const rows = await this.#sql.query<{ key: string; organization_id: string; epoch: string }>(
      `INSERT INTO leases AS held (key, organization_id, replica_id, epoch, claimed_at)
       SELECT w.key, w.organization_id, $3, 1, clock_timestamp() FROM unnest($1::text[], $2::uuid[]) AS w(key, organization_id) ORDER BY w.key
       ON CONFLICT (key) DO UPDATE SET replica_id = $3, epoch = held.epoch + 1, claimed_at = clock_timestamp()
         WHERE $4 OR held.replica_id IS NULL OR held.replica_id = $3
           OR ($5 AND ${isAliveInTable('$3', '$6')} AND ${isSteadyInTable('$3', '$6')}
             AND NOT ${isAliveInTable('held.replica_id', '$6')})
       RETURNING key, organization_id, epoch`,
      [
        keys.map(({ key }) => key),
        keys.map(({ organizationId }) => organizationId),
        this.replicaId,
        this.#isAlone,
        this.isSteady(),
        this.ttlMs / 1000,
      ],
    );
    const leases = rows.map((row) => ({
      key: row.key,
      organizationId: row.organization_id,
      epoch: Number(row.epoch),
    }));
    if (this.isAlive()) return leases;
    // The answer came so late that others may think this replica dead.
    await this.release(leases);
    return [];
  }

  /**
   * How many of so many keys this replica holds by its own looking, at most: an equal part, rounded up, among the
   * replicas that live steadily and do not drain. What comes to it by request or hand-over comes on top; what it holds
   * beyond that it gives away one by one (`Balance`).
   */
  async share(keys: number): Promise<number> {
    if (this.#isAlone) return keys;
    const [row] = await this.#sql.query<{ replicas: number }>(
      `SELECT count(*)::int AS replicas FROM replicas r WHERE NOT r.is_draining AND (r.id = $1
         OR (r.heartbeat_at > clock_timestamp() - make_interval(secs => $2) AND r.beating_since <= clock_timestamp() - make_interval(secs => $2)))`,
      [this.replicaId, this.ttlMs / 1000],
    );
    return Math.ceil(keys / Math.max(1, row?.replicas ?? 1));
  }

  /** Whether others live that could take over what this replica gives up. */
  async hasOthers(): Promise<boolean> {
    if (this.#isAlone) return false;
    const rows = await this.#sql.query(
      'SELECT FROM replicas WHERE id <> $1 AND NOT is_draining AND heartbeat_at > clock_timestamp() - make_interval(secs => $2) LIMIT 1',
      [this.replicaId, this.ttlMs / 1000],
    );
    return rows.length > 0;
  }

  /**
   * Living replicas, this one included, with the number of leases that they hold.
   *
   * @param counts a condition on a lease `l`: which of them count
   */
  async standings(counts = 'true'): Promise<Standing[]> {
    const rows = await this.#sql.query<{ id: string; is_draining: boolean; beating_ms: number; held: number }>(
      `SELECT r.id, r.is_draining, (extract(epoch FROM clock_timestamp() - r.beating_since) * 1000)::float8 AS beating_ms,
         count(l.key)::int AS held
       FROM replicas r LEFT JOIN leases l ON l.replica_id = r.id AND ${counts}
       WHERE r.heartbeat_at > clock_timestamp() - make_interval(secs => $1) GROUP BY r.id`,
      [this.ttlMs / 1000],
    );
    return rows.map((row) => ({
      replicaId: row.id,
      held: row.held,
      isDraining: row.is_draining,
      beatingForMs: row.beating_ms,
    }));
  }

  /** Whether the row still names this replica with this epoch. */
  async isHeld(lease: Lease): Promise<boolean> {
    return (await this.lost([lease])).length === 0;
  }

  /** The leases among these that are no longer this replica's. To be asked now and then: somebody may have thought it dead. */
  async lost(leases: readonly Lease[]): Promise<readonly Lease[]> {
    if (leases.length === 0) return [];
    const rows = await this.#sql.query<{ key: string; epoch: string }>(
      'SELECT key, epoch FROM leases WHERE replica_id = $1 AND key = ANY($2::text[])',
      [this.replicaId, leases.map(({ key }) => key)],
    );
    const held = new Map(rows.map(({ key, epoch }) => [key, Number(epoch)]));
    return leases.filter(({ key, epoch }) => held.get(key) !== epoch);
  }

  /** Gives leases up, for whoever comes first. Only after what they allowed has ended. */
  async release(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    await this.#sql.query(
      `UPDATE leases l SET replica_id = NULL FROM unnest($2::text[], $3::bigint[]) AS w(key, epoch)
       WHERE l.key = w.key AND l.epoch = w.epoch AND l.replica_id = $1`,
      [this.replicaId, leases.map(({ key }) => key), leases.map(({ epoch }) => epoch)],
    );
  }

  /**
   * Gives leases up for one replica, which takes them as its own: nobody else can come between. Only after what they
   * allowed has ended.
   *
   * @returns those that were passed: none to a replica that does not live, or stops
   */
  async pass(leases: readonly Lease[], to: string): Promise<readonly Lease[]> {
    const rows = await this.#sql.query<{ key: string }>(
      `UPDATE leases l SET replica_id = $4::uuid, claimed_at = clock_timestamp()
       FROM unnest($2::text[], $3::bigint[]) AS w(key, epoch)
       WHERE l.key = w.key AND l.epoch = w.epoch AND l.replica_id = $1
         AND EXISTS (SELECT FROM replicas r WHERE r.id = $4::uuid AND NOT r.is_draining
           AND r.heartbeat_at > clock_timestamp() - make_interval(secs => $5))
       RETURNING l.key`,
      [this.replicaId, leases.map(({ key }) => key), leases.map(({ epoch }) => epoch), to, this.ttlMs / 1000],
    );
    const passed = new Set(rows.map(({ key }) => key));
    return leases.filter(({ key }) => passed.has(key));
  }

  /** Frees a lease that was passed and not taken. @returns false: it was taken */
  async recall(lease: Lease, from: string): Promise<boolean> {
    const rows = await this.#sql.query(
      'UPDATE leases SET replica_id = NULL WHERE key = $1 AND epoch = $2 AND replica_id = $3::uuid RETURNING key',
      [lease.key, lease.epoch, from],
    );
    return rows.length > 0;
  }

  /** Removes the row of a key that is gone for good. */
  async forget(key: string): Promise<void> {
    await this.#sql.query('DELETE FROM leases WHERE key = $1', [key]);
  }
}
