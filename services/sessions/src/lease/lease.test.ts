import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { openDatabase, type ServiceDatabase, type Sql } from '@messaging-gateway/service';
import { sessions } from '../index.ts';
import { Heartbeat, ttlMs } from './heartbeat.ts';
import { Leases } from './leases.ts';

describe('leases', () => {
  let made: TestDatabase;
  let database: ServiceDatabase;
  beforeAll(async () => {
    made = await testDatabase();
    database = await openDatabase({
      url: made.url,
      schema: 'sessions',
      entities: sessions.entities,
      migrations: sessions.migrations,
      log: silentLogger,
    });
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
  });

  /** Time that the test moves, and a database that can be away. */
  const replica = (isAlone = false) => {
    const time = { now: 1_000, isAway: false, lost: 0 };
    const sql: Sql = {
      query: (text, values) => (time.isAway ? Promise.reject(new Error('away')) : database.sql.query(text, values)),
      transaction: (work) => database.sql.transaction(work),
    };
    const id = randomUUID();
    const heartbeat = new Heartbeat({
      sql,
      replicaId: id,
      log: silentLogger,
      monotonic: () => time.now,
      onLost: () => void (time.lost += 1),
    });
    return { id, time, heartbeat, leases: new Leases(database.sql, id, isAlone) };
  };
  const profile = () => ({ profileId: randomUUID(), organizationId: randomUUID() });
  const dead = (id: string) =>
    database.sql.query(`update replicas set heartbeat_at = clock_timestamp() - interval '10 s' where id = $1`, [id]);

  it('go to one of two replicas, and to the other with a higher epoch when that one is dead', async () => {
    const [one, other] = [replica(), replica()];
    await one.heartbeat.beat();
    await other.heartbeat.beat();
    const wanted = profile();
    const both = await Promise.all([one.leases.claim([wanted]), other.leases.claim([wanted])]);
    expect(both.flat()).toHaveLength(1);
    const [winner, loser] = both[0]?.length === 1 ? [one, other] : [other, one];
    const lease = both.flat()[0];
    if (lease === undefined) throw new Error('Nobody has it.');
    expect(await loser.leases.claim([wanted])).toEqual([]);
    await dead(winner.id);
    const [taken] = await loser.leases.claim([wanted]);
    expect(taken?.epoch).toBe(lease.epoch + 1);
    expect(await winner.leases.isHeld(lease)).toBe(false);
    expect(await winner.leases.lost([lease])).toEqual([lease]);
    await winner.leases.release(lease);
    expect(await loser.leases.claim([wanted])).toMatchObject([{ epoch: lease.epoch + 2 }]);
  });

  it('are given up and taken by the next', async () => {
    const [one, other] = [replica(), replica()];
    await one.heartbeat.beat();
    const [lease] = await one.leases.claim([profile()]);
    if (lease === undefined) throw new Error('Nobody has it.');
    await one.leases.release(lease);
    expect(await other.leases.claim([lease])).toMatchObject([{ epoch: lease.epoch + 1 }]);
  });

  it('are taken at once by a process that is alone', async () => {
    const [one, alone] = [replica(), replica(true)];
    await one.heartbeat.beat();
    const [lease] = await one.leases.claim([profile()]);
    if (lease === undefined) throw new Error('Nobody has it.');
    expect(await alone.leases.claim([lease])).toMatchObject([{ epoch: lease.epoch + 1 }]);
  });

  it('are claimed by nobody whose heartbeats have not succeeded for a whole time to live', async () => {
    const { heartbeat, time } = replica();
    await heartbeat.beat();
    expect(heartbeat.isSteady()).toBe(false);
    for (let passed = 0; passed < ttlMs; passed += 3_000) {
      time.now += 3_000;
      await heartbeat.beat();
    }
    expect(heartbeat.isSteady()).toBe(true);
  });

  it('are let go once by a replica that could not renew for two thirds of the time to live', async () => {
    const { heartbeat, time } = replica();
    await heartbeat.beat();
    time.isAway = true;
    time.now += 5_900;
    await heartbeat.beat();
    expect(time.lost).toBe(0);
    time.now += 200;
    await heartbeat.beat();
    await heartbeat.beat();
    expect([time.lost, heartbeat.isAlive()]).toEqual([1, false]);
    time.isAway = false;
    await heartbeat.beat();
    expect([heartbeat.isAlive(), heartbeat.isSteady()]).toEqual([true, false]);
  });
});
