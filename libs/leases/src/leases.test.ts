import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { openDatabase, type ServiceDatabase } from '@messaging-gateway/service';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { standing } from './fence.ts';
import type { Lease } from './lease.ts';
import { leasesMigration } from './migration.ts';
import { leasesTest, type TestReplica } from './testing/replica.ts';

describe('leases', () => {
  let made: TestDatabase;
  let database: ServiceDatabase;
  let replica: ReturnType<typeof leasesTest>;
  beforeAll(async () => {
    made = await testDatabase();
    const migrations = [leasesMigration];
    database = await openDatabase({ url: made.url, schema: 'leased', migrations, log: silentLogger });
    replica = leasesTest(database.sql);
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
  });

  const wanted = () => ({ key: randomUUID(), organizationId: randomUUID() });
  const one = ([lease]: readonly Lease[]): Lease => {
    if (lease === undefined) throw new Error('Nobody has it.');
    return lease;
  };
  const steady = async (isAlone = false): Promise<TestReplica> => {
    const made = replica(isAlone);
    await made.becomesSteady();
    return made;
  };

  it('go to one of two replicas, and to the other with a higher epoch when that one is dead', async () => {
    const [first, second] = [await steady(), await steady()];
    const key = wanted();
    const both = await Promise.all([first.leases.claim([key]), second.leases.claim([key])]);
    expect(both.flat()).toHaveLength(1);
    const [winner, loser] = both[0]?.length === 1 ? [first, second] : [second, first];
    const lease = one(both.flat());
    expect(await loser.leases.claim([key])).toEqual([]);
    await winner.dies();
    expect(one(await loser.leases.claim([key])).epoch).toBe(lease.epoch + 1);
    expect(await winner.leases.isHeld(lease)).toBe(false);
    expect(await winner.leases.lost([lease])).toEqual([lease]);
    await winner.leases.release([lease]);
    expect(await loser.leases.claim([key])).toMatchObject([{ epoch: lease.epoch + 2 }]);
  });

  it('are given up and taken by the next, however young it is', async () => {
    const [first, young] = [await steady(), replica()];
    await young.beats();
    const lease = one(await first.leases.claim([wanted()]));
    expect(await young.leases.claim([lease])).toEqual([]);
    await first.leases.release([lease]);
    expect(await young.leases.claim([lease])).toMatchObject([{ epoch: lease.epoch + 1 }]);
  });

  it('of a dead replica are taken by those only whose heartbeats have succeeded for a whole time to live', async () => {
    const [dead, young] = [await steady(), replica()];
    const lease = one(await dead.leases.claim([wanted()]));
    await dead.dies();
    await young.beats();
    expect(young.leases.isSteady()).toBe(false);
    expect(await young.leases.claim([lease])).toEqual([]);
    await young.becomesSteady();
    expect(await young.leases.claim([lease])).toHaveLength(1);
  });

  it('are taken at once by a process that is alone', async () => {
    const [before, alone] = [await steady(), replica(true)];
    const lease = one(await before.leases.claim([wanted()]));
    expect(await alone.leases.claim([lease])).toMatchObject([{ epoch: lease.epoch + 1 }]);
    expect([alone.leases.isAlive(), await alone.leases.share(7)]).toEqual([true, 7]);
  });

  it('are let go once by a replica that could not renew for two thirds of the time to live', async () => {
    const { leases, time, beats } = await steady();
    time.isAway = true;
    time.now += 5_900;
    await beats();
    expect(time.lost).toBe(0);
    time.now += 200;
    await beats();
    await beats();
    expect([time.lost, leases.isAlive()]).toEqual([1, false]);
    time.isAway = false;
    expect(await leases.claim([wanted()])).toEqual([]);
    await beats();
    expect([leases.isAlive(), leases.isSteady()]).toEqual([true, false]);
  });

  it('change no hands when the database was away for half a minute, and their holder takes its own up again', async () => {
    const [holder, other] = [await steady(), await steady()];
    const lease = one(await holder.leases.claim([wanted()]));
    for (const { time } of [holder, other]) time.isAway = true;
    for (let passed = 0; passed < 30_000; passed += 1_000)
      for (const { time, beats } of [holder, other]) {
        time.now += 1_000;
        await beats();
      }
    expect([holder.time.lost, other.time.lost]).toEqual([1, 1]);
    for (const { dies, time } of [holder, other]) {
      await dies();
      time.isAway = false;
    }
    await other.beats();
    expect(await other.leases.claim([lease])).toEqual([]);
    await holder.beats();
    expect(await holder.leases.isHeld(lease)).toBe(true);
    expect(await holder.leases.claim([lease])).toMatchObject([{ epoch: lease.epoch + 1 }]);
    await other.becomesSteady();
    expect(await other.leases.claim([lease])).toEqual([]);
  });

  it('change no hands when the clock of the database jumps ahead', async () => {
    await database.sql.query('DELETE FROM replicas');
    const [holder, other] = [await steady(), await steady()];
    const lease = one(await holder.leases.claim([wanted()]));
    await database.sql.query(
      `UPDATE replicas SET heartbeat_at = clock_timestamp() - interval '1 hour', beating_since = beating_since - interval '1 hour'`,
    );
    // The first to beat finds everybody else dead.
    other.time.now += 3_000;
    await other.leases.beat();
    expect([other.leases.isSteady(), await other.leases.claim([lease])]).toEqual([true, []]);
    holder.time.now += 3_000;
    await holder.leases.beat();
    expect(await holder.leases.isHeld(lease)).toBe(true);
    await other.becomesSteady();
    expect(await other.leases.claim([lease])).toEqual([]);
    await holder.dies();
    expect(await other.leases.claim([lease])).toHaveLength(1);
  });

  it('are not claimed by a statement that waited while the database stood still', async () => {
    const [holder, other] = [await steady(), await steady()];
    const lease = one(await holder.leases.claim([wanted()]));
    await holder.dies();
    await other.dies();
    expect(other.leases.isSteady()).toBe(true);
    expect(await other.leases.claim([lease])).toEqual([]);
  });

  it('are shared: an equal part each, none for those that drain, and those take nothing more', async () => {
    await database.sql.query('DELETE FROM replicas');
    const [first, second] = [await steady(), await steady()];
    const young = replica();
    await young.beats();
    expect([await first.leases.share(9), await second.leases.share(9)]).toEqual([5, 5]);
    await second.leases.drain();
    expect(await first.leases.share(9)).toBe(9);
    expect(await second.leases.claim([wanted()])).toEqual([]);
    expect([await first.leases.hasOthers(), await young.leases.hasOthers()]).toEqual([true, true]);
    await young.leases.stop();
    expect(await first.leases.hasOthers()).toBe(false);
  });

  it('fence what is written: nothing of a holder that was replaced, and no claim in the middle of a write', async () => {
    const [first, second] = [await steady(), await steady()];
    const [kept, lost] = await first.leases.claim([wanted(), wanted()].sort((a, b) => (a.key < b.key ? -1 : 1)));
    if (kept === undefined || lost === undefined) throw new Error('Not claimed.');
    await first.leases.release([lost]);
    await second.leases.claim([lost]);
    const stand = (leases: readonly Lease[], sql = database.sql) =>
      sql.query<{ key: string }>(`WITH standing AS MATERIALIZED (${standing('$1', '$2')}) SELECT key FROM standing`, [
        leases.map(({ key }) => key),
        leases.map(({ epoch }) => epoch),
      ]);
    expect(await stand([kept, lost])).toEqual([{ key: kept.key }]);
    let claimed: Promise<unknown> | undefined;
    await database.sql.transaction(async (sql) => {
      expect(await stand([kept], sql)).toHaveLength(1);
      let isClaimed = false;
      claimed = first.leases.claim([kept]).then(() => (isClaimed = true));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(isClaimed).toBe(false);
    });
    await claimed;
    expect(await stand([kept])).toEqual([]);
  });

  it('are passed to one replica, which alone can take them, or freed when it does not', async () => {
    await database.sql.query('DELETE FROM replicas');
    const [first, second, third] = [await steady(), await steady(), await steady()];
    const [lease, other] = await first.leases.claim([wanted(), wanted()]);
    if (lease === undefined || other === undefined) throw new Error('Not claimed.');
    const heldBy = async () =>
      new Map((await first.leases.standings()).map(({ replicaId, held }) => [replicaId, held]));
    expect((await heldBy()).get(first.leases.replicaId)).toBe(2);
    expect(await first.leases.pass([lease, { ...other, epoch: 7 }], second.leases.replicaId)).toEqual([lease]);
    expect(await third.leases.claim([lease])).toEqual([]);
    expect(await first.leases.lost([lease])).toEqual([lease]);
    expect(await first.leases.claim([lease])).toEqual([]);
    expect(await second.leases.claim([lease])).toMatchObject([{ epoch: lease.epoch + 1 }]);
    expect(await first.leases.recall(lease, second.leases.replicaId)).toBe(false);
    expect((await heldBy()).get(second.leases.replicaId)).toBe(1);
    expect(await first.leases.pass([other], third.leases.replicaId)).toEqual([other]);
    expect(await first.leases.recall(other, third.leases.replicaId)).toBe(true);
    expect(await second.leases.claim([other])).toHaveLength(1);
    await third.leases.drain();
    expect(await second.leases.pass([{ ...other, epoch: other.epoch + 1 }], third.leases.replicaId)).toEqual([]);
    const draining = (await second.leases.standings("l.key = 'none'")).filter(({ isDraining }) => isDraining);
    expect(draining).toMatchObject([{ replicaId: third.leases.replicaId, held: 0 }]);
  });

  it('of a key that is gone leave no row', async () => {
    const { leases } = await steady();
    const lease = one(await leases.claim([wanted()]));
    await leases.forget(lease.key);
    expect(await leases.isHeld(lease)).toBe(false);
  });
});
