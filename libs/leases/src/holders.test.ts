import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { openDatabase, type ServiceDatabase } from '@messaging-gateway/service';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { holdersOf, livingAmong, outgrow } from './holders.ts';
import { leasesMigration } from './migration.ts';
import { leasesTest } from './testing/replica.ts';

describe('holders', () => {
  let made: TestDatabase;
  let database: ServiceDatabase;
  beforeAll(async () => {
    made = await testDatabase();
    const migrations = [leasesMigration];
    database = await openDatabase({ url: made.url, schema: 'leased', migrations, log: silentLogger });
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
  });

  const held = async () => {
    const replica = leasesTest(database.sql)();
    await replica.becomesSteady();
    const [lease] = await replica.leases.claim([{ key: randomUUID(), organizationId: randomUUID() }]);
    if (lease === undefined) throw new Error('Nobody has it.');
    return { ...replica, lease };
  };

  it('are named with whether they live; what nobody holds is left out', async () => {
    const [living, dead, gone] = [await held(), await held(), await held()];
    await dead.dies();
    await gone.leases.release([gone.lease]);
    const holders = await holdersOf(
      database.sql,
      [living, dead, gone].map(({ lease }) => lease.key),
    );
    expect(holders.get(living.lease.key)).toEqual({ replicaId: living.leases.replicaId, isAlive: true });
    expect(holders.get(dead.lease.key)).toEqual({ replicaId: dead.leases.replicaId, isAlive: false });
    expect(holders.has(gone.lease.key)).toBe(false);
    const replicas = [living, dead].map(({ leases }) => leases.replicaId);
    expect([...(await livingAmong(database.sql, replicas))]).toEqual([living.leases.replicaId]);
  });

  it('outgrow an epoch that was seen elsewhere, as long as they hold', async () => {
    const { lease, leases } = await held();
    const grown = await outgrow(database.sql, leases.replicaId, lease, 41);
    expect(grown?.epoch).toBe(42);
    expect(await outgrow(database.sql, leases.replicaId, lease, 50)).toBeUndefined();
    expect(await outgrow(database.sql, randomUUID(), grown ?? lease, 50)).toBeUndefined();
  });
});
