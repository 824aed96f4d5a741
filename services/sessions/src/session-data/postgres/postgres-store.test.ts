import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encryptionKeys, silentLogger } from '@messaging-gateway/runtime';
import { openDatabase, type ServiceDatabase, type Sql } from '@messaging-gateway/service';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { sessions } from '../../index.ts';
import { sessionKey } from '../../testing/engine-harness.ts';
import { openPostgresStore } from './postgres-store.ts';
import { sessionDataSuite } from '../session-data.suite.ts';
import { SessionDataUnavailable, StaleEpoch, type Change, type SessionDataStore } from '../session-data-store.ts';

let made: TestDatabase;
let database: ServiceDatabase;
beforeAll(async () => {
  made = await testDatabase();
  const { migrations } = sessions;
  database = await openDatabase({ url: made.url, schema: 'sessions', migrations, log: silentLogger });
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

const openStore = (sql: Sql = database.sql): Promise<SessionDataStore> =>
  openPostgresStore({ sql, encryption: encryptionKeys(sessionKey) });
const grant = async (profileId: string, epoch: number): Promise<void> => {
  await database.sql.query(
    `INSERT INTO leases AS l (key, organization_id, replica_id, epoch, claimed_at) VALUES ($1::text, $1::text::uuid, $1::text::uuid, $2, now())
     ON CONFLICT (key) DO UPDATE SET epoch = greatest(l.epoch, $2)`,
    [profileId, epoch],
  );
};

sessionDataSuite('session data in PostgreSQL', async () => {
  const store = await openStore();
  return { store, reopen: () => openStore(), grant, remove: () => store.close() };
});

const put = (id: string, text: string): Change => ({ table: 'signal', id, value: Buffer.from(text) });

describe('the table of session data', () => {
  it('holds neither a contact nor a secret in plain', async () => {
    const store = await openStore();
    const profileId = randomUUID();
    await grant(profileId, 1);
    const data = await store.open(profileId, 1);
    await data.commit([
      put('session/4915112345678.0', 'very secret ratchet'),
      { table: 'inbox', id: '1', value: Buffer.from('inbound text') },
    ]);
    const rows = await database.sql.query<{ id: Buffer; value: Buffer }>('SELECT id, value FROM session_data');
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const everything = rows.map(({ id, value }) => id.toString('latin1') + value.toString('latin1')).join();
    expect(everything).not.toMatch(/4915112345678|very secret|inbound text/);
  });

  it('takes nothing from a holder that was replaced, whichever process it is, and all of the others in its commit', async () => {
    const [old, next] = [await openStore(), await openStore()];
    const [lost, kept] = [randomUUID(), randomUUID()];
    for (const id of [lost, kept]) await grant(id, 1);
    const [stale, standing] = [await old.open(lost, 1), await old.open(kept, 1)];
    await grant(lost, 2);
    const data = await next.open(lost, 2);
    await data.commit([put('a', 'new')]);
    const [refused, taken] = await Promise.allSettled([
      stale.commit([put('a', 'stale'), put('b', 'stale')]),
      standing.commit([put('a', 'kept')]),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(StaleEpoch) });
    expect(taken.status).toBe('fulfilled');
    await expect(stale.commit([put('c', 'stale')])).rejects.toThrow(StaleEpoch);
    expect((await data.read('signal', ['a', 'b', 'c'])).map((value) => value?.toString())).toEqual([
      'new',
      undefined,
      undefined,
    ]);
  });

  it('is written in one statement for all that came while the one before was under way', async () => {
    let statements = 0;
    const counting: Sql = {
      ...database.sql,
      query: (text, values) => {
        if (text.includes('INSERT INTO session_data')) statements += 1;
        return database.sql.query(text, values);
      },
    };
    const store = await openStore(counting);
    const profiles = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const profileId = randomUUID();
        await grant(profileId, 1);
        return store.open(profileId, 1);
      }),
    );
    await Promise.all(profiles.flatMap((data) => ['a', 'b', 'c'].map((id) => data.commit([put(id, id)]))));
    expect(statements).toBeLessThanOrEqual(2);
  });

  it('refuses everything after a failed commit until it is opened again', async () => {
    let isAway = false;
    const severable: Sql = {
      ...database.sql,
      query: (text, values) => (isAway ? Promise.reject(new Error('away')) : database.sql.query(text, values)),
    };
    const store = await openStore(severable);
    const profileId = randomUUID();
    await grant(profileId, 1);
    const data = await store.open(profileId, 1);
    isAway = true;
    await expect(data.commit([put('a', '1')])).rejects.toThrow(SessionDataUnavailable);
    isAway = false;
    await expect(data.commit([put('b', '1')])).rejects.toThrow(SessionDataUnavailable);
    const again = await store.open(profileId, 1);
    expect(await again.read('signal', ['a', 'b'])).toEqual([undefined, undefined]);
    await again.commit([put('a', '2')]);
  });
});
