import { type Lease, type LeaseSql, usualTtlMs } from './lease.ts';

/** The holder of a key, as its row says. */
export interface Holder {
  readonly replicaId: string;
  /** Whether its last heartbeat is young enough, by the database's clock. */
  readonly isAlive: boolean;
}

/** Holders of these keys; keys that nobody holds are left out. @param ttlMs as that of the replicas */
export async function holdersOf(
  sql: LeaseSql,
  keys: readonly string[],
  ttlMs = usualTtlMs,
): Promise<ReadonlyMap<string, Holder>> {
  if (keys.length === 0) return new Map();
  const rows = await sql.query<{ key: string; replica_id: string; is_alive: boolean }>(
    `SELECT l.key, l.replica_id, EXISTS (SELECT FROM replicas r WHERE r.id = l.replica_id
       AND r.heartbeat_at > clock_timestamp() - make_interval(secs => $2)) AS is_alive
     FROM leases l WHERE l.key = ANY($1::text[]) AND l.replica_id IS NOT NULL`,
    [keys, ttlMs / 1000],
  );
  return new Map(rows.map((row) => [row.key, { replicaId: row.replica_id, isAlive: row.is_alive }]));
}

/** The replicas among these that live, by the database's clock. @param ttlMs as that of the replicas */
export async function livingAmong(
  sql: LeaseSql,
  replicaIds: readonly string[],
  ttlMs = usualTtlMs,
): Promise<ReadonlySet<string>> {
  if (replicaIds.length === 0) return new Set();
  const rows = await sql.query<{ id: string }>(
    'SELECT id FROM replicas WHERE id = ANY($1::uuid[]) AND heartbeat_at > clock_timestamp() - make_interval(secs => $2)',
    [replicaIds, ttlMs / 1000],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Gives a lease that still stands an epoch above one that was seen elsewhere: rows that come from a backup are older
 * than what their epochs fence.
 *
 * @returns undefined when the lease stands no more
 */
export async function outgrow(
  sql: LeaseSql,
  replicaId: string,
  lease: Lease,
  seen: number,
): Promise<Lease | undefined> {
  const [row] = await sql.query<{ epoch: string }>(
    'UPDATE leases SET epoch = greatest(epoch, $4) + 1 WHERE key = $1 AND replica_id = $2 AND epoch = $3 RETURNING epoch',
    [lease.key, replicaId, lease.epoch, seen],
  );
  return row === undefined ? undefined : { ...lease, epoch: Number(row.epoch) };
}
