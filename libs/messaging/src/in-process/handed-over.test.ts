import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Collector } from '../suites/collector.ts';
import { complete, facts, numberOf, upTo } from '../suites/events.harness.ts';
import { journalFixture } from '../suites/journal.fixture.ts';
import { inProcessEventBus } from './event-bus.ts';

type Journal = ReturnType<typeof journalFixture>;
type Bus = Awaited<ReturnType<Journal['connect']>>;

let database: TestDatabase;
let journal: Journal;
let connected: Bus;
beforeAll(async () => {
  database = await testDatabase();
  journal = journalFixture(database.url);
  await journal.migrate();
  connected = await journal.connect(inProcessEventBus({ clock: systemClock, log: silentLogger }));
});
afterAll(async () => {
  await connected.close();
  await journal.close();
  await database.drop();
});

async function collecting(
  group: string,
  kind: string,
): Promise<{ came: Collector<EventEnvelope>; stop(): Promise<void> }> {
  const came = new Collector<EventEnvelope>();
  const handler = async (event: EventEnvelope): Promise<void> => came.add(event);
  const home = { schema: 'taker', pool: journal.pool };
  return { came, stop: await connected.bus.subscribe({ group, kinds: [kind], home, handler }) };
}

/** A transaction of another process: its id stands before those of all that is appended from now on. */
async function otherTransaction() {
  const client = await journal.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT pg_current_xact_id()');
  return {
    tell: (kind: string, key: string, n: number) =>
      client.query(
        `INSERT INTO teller.events (stream, version, type, schema_version, append_id, data, metadata, at)
         VALUES ($1, 1, 'Told', 1, 1, $2, '{"organizationId":"o","subject":"organization:o"}', now())`,
        [`fact-${kind}-${key}`, { kind, key, n }],
      ),
    commit: async (): Promise<void> => {
      await client.query('COMMIT');
      client.release();
    },
  };
}

it('an event is handled while a transaction is open, before the journal can be read', async () => {
  const { came, stop } = await collecting('early', 'early');
  await journal.tell(facts('early', 1));
  await came.until(1);
  const other = await otherTransaction();
  await journal.tell(facts('early', 2).slice(1));
  expect((await came.until(2)).map(numberOf)).toEqual([0, 1]);
  await other.commit();
  await stop();
});

it('an event of another process that comes out behind others, though it stands before them, is handled', async () => {
  const { came, stop } = await collecting('late', 'late');
  await journal.tell(facts('late', 1));
  await came.until(1);
  const other = await otherTransaction();
  await journal.tell(facts('late', 2).slice(1));
  await came.until(2);
  await other.tell('late', 'elsewhere', 7);
  await other.commit();
  expect((await came.until(3)).map(numberOf)).toEqual([0, 1, 7]);
  await stop();
  const again = await collecting('late', 'late');
  await journal.tell(facts('late', 3).slice(2));
  expect((await again.came.until(1)).map(numberOf)).toEqual([2]);
  await again.stop();
});

it('no place is kept behind what may still come in before it', async () => {
  const first = await collecting('kept', 'kept');
  await journal.tell(facts('kept', 1));
  await first.came.until(1);
  const other = await otherTransaction();
  await journal.tell(facts('kept', 2).slice(1));
  await first.came.until(2);
  await other.tell('kept', 'elsewhere', 7);
  await first.stop();
  await other.commit();
  const second = await collecting('kept', 'kept');
  const came = await second.came.until((events) => events.some((event) => event.key === 'elsewhere'));
  expect(came.filter(({ key }) => key === 'elsewhere').map(numberOf)).toEqual([7]);
  await second.stop();
});

it('nothing is lost, and each key keeps its order, while several processes append', async () => {
  const { came, stop } = await collecting('many', 'many');
  const others = [1, 2].map(() => journalFixture(database.url));
  const all = [journal, ...others];
  await Promise.all(
    all.map(async (one, writer) => {
      for (const n of upTo(60)) await one.tell([{ kind: 'many', key: `k${writer}`, n }]);
    }),
  );
  const keys = all.map((_, writer) => `k${writer}`);
  const events = await came.until(complete(keys, 60));
  for (const key of keys) expect(events.filter((event) => event.key === key).map(numberOf)).toEqual(upTo(60));
  await stop();
  for (const one of others) await one.close();
});
