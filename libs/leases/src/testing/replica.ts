import { randomUUID } from 'node:crypto';
import { silentLogger } from '@messaging-gateway/runtime';
import type { LeaseSql } from '../lease.ts';
import { Leases } from '../leases.ts';

const lives = "heartbeat_at > clock_timestamp() - interval '30 minutes'";

/** A replica whose time the test moves, and whose database can be away. */
export interface TestReplica {
  readonly leases: Leases;
  readonly time: { now: number; isAway: boolean; lost: number };
  /** One look of its heartbeat. To the database it lives until it dies by `dies`. */
  readonly beats: () => Promise<void>;
  /** Lets the replica's heartbeats succeed for a whole time to live. */
  readonly becomesSteady: () => Promise<void>;
  /** To the database its last heartbeat is long ago. */
  readonly dies: () => Promise<void>;
  /** To the database its heartbeats have come for so long. */
  readonly lived: (milliseconds: number) => Promise<void>;
}

/** Makes replicas on a schema that has the tables of leases. */
export const leasesTest =
  (sql: LeaseSql) =>
  (isAlone = false): TestReplica => {
    const time = { now: 1_000, isAway: false, lost: 0 };
    const severable: LeaseSql = {
      query: (text, values) => (time.isAway ? Promise.reject(new Error('away')) : sql.query(text, values)),
    };
    const id = randomUUID();
    const leases = new Leases({
      sql: severable,
      log: silentLogger,
      isAlone,
      onLost: () => void (time.lost += 1),
      replicaId: id,
      monotonic: () => time.now,
    });
    const change = async (changes: string, values: readonly unknown[] = []): Promise<void> =>
      void (await sql.query(`UPDATE replicas SET ${changes} WHERE id = $1`, [id, ...values]));
    const beats = async (): Promise<void> => {
      await leases.beat();
      // How long this machine takes for the rest of the test must not count.
      if (!time.isAway)
        await change(
          `heartbeat_at = case when ${lives} then clock_timestamp() + interval '1 hour' else heartbeat_at end`,
        );
    };
    const lived = (milliseconds: number): Promise<void> =>
      change('beating_since = beating_since - make_interval(secs => $2)', [milliseconds / 1000]);
    return {
      leases,
      time,
      beats,
      becomesSteady: async () => {
        await beats();
        for (let passed = 0; passed < leases.ttlMs; passed += 3_000) {
          time.now += 3_000;
          await beats();
        }
        await lived(leases.ttlMs + 1_000);
      },
      dies: () => change("heartbeat_at = clock_timestamp() - interval '1 hour'"),
      lived,
    };
  };
