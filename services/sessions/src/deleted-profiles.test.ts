import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeleteProfile, type Caller } from '@messaging-gateway/contracts';
import { encryptionKeys } from '@messaging-gateway/runtime';
import { openLmdbStore } from './session-data/lmdb/lmdb-store.ts';
import type { SessionDataStore } from './session-data/session-data-store.ts';
import { until } from './testing/engine-harness.ts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

const phones = ['4915120001701', '4915120001702'];
const tenMinutes = 600_000;

describe('the rest of a deleted profile', () => {
  let test: SessionsTest;
  let caller: Caller;
  const remove = (id: string) => test.service.call(DeleteProfile, { caller, params: { id } });

  describe('in PostgreSQL', () => {
    beforeAll(async () => {
      test = await sessionsTest(undefined, { isAlone: false });
      caller = await test.organization();
    });
    afterAll(() => test.stop());
    const rowsOf = async (id: string) =>
      (await test.service.sql.query('SELECT FROM session_data WHERE profile_id = $1', [id])).length;

    it('goes as soon as it can be deleted, and that of others stays', async () => {
      const { sql, clock, rebuildViews } = test.service;
      const [gone = '', other = ''] = await Promise.all(
        phones.map(async (phone) => (await test.linked(caller, phone)).id),
      );
      await sql.query(`CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`);
      await sql.query('CREATE TRIGGER refuse BEFORE DELETE ON session_data EXECUTE FUNCTION refuse()');
      expect(await remove(gone)).toMatchObject({ status: 204 });
      expect(await rowsOf(gone)).toBeGreaterThan(0);
      await sql.query('DROP TRIGGER refuse ON session_data');
      await Promise.all([rebuildViews(), Promise.resolve(clock.advance(tenMinutes))]);
      await until(async () => (await rowsOf(gone)) === 0);
      expect(await rowsOf(other)).toBeGreaterThan(0);
      // Ten minutes at once may have cost it its connection, but not what it needs for the next one.
      await until(async () => {
        clock.advance(1_000);
        return (await test.statusOf(caller, other)).status === 'connected';
      });
    });
  });

  describe('in files', () => {
    let directory = '';
    beforeAll(async () => {
      test = await sessionsTest((folder) => (directory = folder));
      caller = await test.organization();
    });
    afterAll(() => test.stop());

    /** Does something with the session data while the service is down. */
    async function meanwhile<Result>(work: (store: SessionDataStore) => Promise<Result>): Promise<Result> {
      await test.service.stopReplica(0);
      const encryption = encryptionKeys('a test key with 32 characters...');
      const store = await openLmdbStore({ directory, encryption });
      try {
        return await work(store);
      } finally {
        await store.close();
        await test.service.restart();
      }
    }

    it('goes at the next start, and that of others and of unknown ones stays', async () => {
      const [gone, living] = [(await test.create(caller)).id, (await test.create(caller)).id];
      const unknown = randomUUID(); // as after a restore from before it was created
      await remove(gone);
      await meanwhile(async (store) => {
        for (const id of [gone, living, unknown])
          await (await store.open(id, 100)).commit([{ table: 'signal', id: 'credentials/', value: Buffer.from('x') }]);
      });
      const left = await meanwhile((store) => store.holding([gone, living, unknown], 'signal'));
      expect(left.toSorted()).toEqual([living, unknown].toSorted());
    });
  });
});
