import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encryptionKeys, systemClock } from '@messaging-gateway/runtime';
import { testDatabase } from '@messaging-gateway/testing';
import type { TestDatabase } from '@messaging-gateway/testing';
import type { Pool } from 'pg';
import { counter } from './testing/counter.ts';
import { quietPool } from './testing/tried-journal.ts';
import { allReadable, doorbell, erased, journalMigration, openEventStore, openJournalReader } from './index.ts';

const metadata = { organizationId: 'o1', subject: 'organization:o1' };
let database: TestDatabase;
let pool: Pool;
const bell = doorbell();
const options = () => ({
  pool,
  schema: 'tried',
  streams: [counter],
  clock: systemClock,
  doorbell: bell,
  encryption: encryptionKeys('k'.repeat(32)),
  inlineViews: [],
  guards: [],
});

beforeAll(async () => {
  database = await testDatabase();
  pool = quietPool(database.url);
  await pool.query(journalMigration('tried'));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('an event store', () => {
  it('appends what the decider decides and reads it back', async () => {
    const store = openEventStore(options());
    const first = await store.handle(counter, 'a', { type: 'CountTwice', by: 2 }, { metadata });
    const second = await store.handle(counter, 'a', { type: 'Count', by: 1, name: 'Ada' }, { metadata });
    expect(first).toMatchObject({ outcome: 'appended', version: 2, state: { total: 4 } });
    expect(second).toMatchObject({ outcome: 'appended', version: 3, state: { total: 5, names: ['Ada'] } });
    expect((await store.read(counter, 'a')).map((entry) => [entry.version, entry.data])).toEqual([
      [1, { by: 2 }],
      [2, { by: 2 }],
      [3, { by: 1, name: 'Ada' }],
    ]);
    await store.close();
    const later = openEventStore(options());
    expect(await later.load(counter, 'a')).toEqual({ state: { total: 5, names: ['Ada'], marks: [] }, version: 3 });
    expect(await later.handle(counter, 'a', { type: 'Count', by: 1 }, { metadata })).toMatchObject({ version: 4 });
    await later.close();
  });

  it('keeps personal fields encrypted and forgets them with the key', async () => {
    const store = openEventStore(options());
    const reader = openJournalReader(options());
    const mine = { organizationId: 'o2', subject: 'user:u2' };
    await store.handle(counter, 'p', { type: 'Count', by: 1, name: 'Grace' }, { metadata: mine });
    const { rows } = await pool.query("SELECT data::text FROM tried.events WHERE stream = 'counter-p'");
    expect(rows[0].data).not.toContain('Grace');
    await store.erase('user:u2');
    await store.handle(counter, 'p', { type: 'Count', by: 2, name: 'Hopper' }, { metadata: mine });
    expect((await store.load(counter, 'p')).state).toEqual({ total: 3, names: [erased, erased], marks: [] });
    const names = async () =>
      allReadable(await reader.after(undefined, 1000))
        .filter((entry) => entry.stream === 'counter-p')
        .map((entry) => entry.data['name']);
    // Transactions of other tests hold readers of the server back.
    for (let tries = 0; tries < 4000 && (await names()).length < 2; tries += 1) await sleep(25);
    expect(await names()).toEqual([erased, erased]);
    await reader.close();
    await store.close();
  });

  it('answers a repeated key with the present state', async () => {
    const store = openEventStore(options());
    const count = (by: number) =>
      store.handle(counter, 'once', { type: 'Count', by, atMost: 5 }, { metadata, once: 'cause-1' });
    const both = await Promise.all([count(5), count(5)]);
    expect(both.map((one) => one.outcome)).toEqual(['appended', 'nothing']);
    expect(await count(5)).toMatchObject({ outcome: 'nothing', state: { total: 5 }, version: 1 });
    await store.close();
  });

  it('decides waiting commands of a stream on top of each other', async () => {
    const store = openEventStore(options());
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        store.handle(counter, 'hot', { type: 'Mark', mark: String(i) }, { metadata }),
      ),
    );
    expect(all.map((one) => one.version)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    await store.close();
  });
});
