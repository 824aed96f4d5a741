import { randomUUID } from 'node:crypto';
import { silentLogger } from '@messaging-gateway/runtime';
import type { LeaseSql } from '../lease.ts';
import { Leases } from '../leases.ts';
import { ttlMs } from '../times.ts';

/** A replica whose time the test moves, and whose database can be away. */
export interface TestReplica {
  readonly leases: Leases;
  readonly time: { now: number; isAway: boolean; lost: number };
  /** One look of its heartbeat. */
  readonly beats: () => Promise<void>;
  /** Its heartbeats succeed for a whole time to live. */
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
    const beats = (): Promise<void> => leases.beat();
    const change = async (what: string, milliseconds: number): Promise<void> => {
      const ago = `${what} - make_interval(secs => $2)`;
      await sql.query(`update replicas set ${what} = ${ago} where id = $1`, [id, milliseconds / 1000]);
    };
    return {
      leases,
      time,
      beats,
      becomesSteady: async () => {
        await beats();
        for (let passed = 0; passed < ttlMs; passed += 3_000) {
          time.now += 3_000;
          await beats();
        }
      },
      dies: () => change('heartbeat_at', ttlMs + 1_000),
      lived: (milliseconds) => change('beating_since', milliseconds),
    };
  };
