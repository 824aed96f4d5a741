import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import { silentLogger } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { DelayedKeys } from './delayed-keys.ts';
import { Delivery } from './delivery.ts';
import { journalFixture } from './suites/journal.fixture.ts';

const [kind, key, group] = ['kind', 'stuck', 'group'];

let database: TestDatabase;
let journal: ReturnType<typeof journalFixture>;
beforeAll(async () => {
  database = await testDatabase();
  journal = journalFixture(database.url);
  await journal.migrate();
});
afterAll(async () => {
  await journal.close();
  await database.drop();
});

const eventOf = (sequence: number): EventEnvelope =>
  ({ id: `event ${sequence}`, type: kind, key, sequence, organizationId: 'o', data: {} }) as unknown as EventEnvelope;

it('a key that is about to be let go is worked off with what comes in that moment', async () => {
  const home = { schema: 'taker', pool: journal.pool };
  const handled: string[] = [];
  const handler = async ({ id }: EventEnvelope): Promise<void> => void handled.push(id);
  const delivery = new Delivery({ group, kinds: [kind], home, handler }, silentLogger);
  const other = new DelayedKeys(home, group);
  await other.setAside(eventOf(1), 'away');
  await journal.pool.query('UPDATE taker.delayed_keys SET due_at = now()');
  expect(await delivery.delayed.claim([kind], 10)).toEqual([{ kind, key }]);
  const { oldest } = delivery.delayed;
  let isLate = false;
  delivery.delayed.oldest = async (...given) => {
    const events = await oldest.apply(delivery.delayed, given);
    if (events.length === 0 && !isLate) isLate = await other.append(eventOf(2));
    return events;
  };
  await delivery.workOff({ kind, key }, () => false);
  expect([handled, isLate]).toEqual([['event 1', 'event 2'], true]);
  expect((await journal.pool.query('SELECT FROM taker.delayed_keys')).rowCount).toBe(0);
  expect(await other.append(eventOf(3))).toBe(false);
});

it('a key that somebody else has let go needs nothing', async () => {
  const delivery = new Delivery(
    { group: 'another', kinds: [kind], home: { schema: 'taker', pool: journal.pool }, handler: async () => undefined },
    silentLogger,
  );
  await delivery.workOff({ kind, key }, () => false);
  expect((await journal.pool.query('SELECT FROM taker.delayed_keys')).rowCount).toBe(0);
});
