import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import { silentLogger } from '@messaging-gateway/runtime';
import { describeWith, eventually, testDatabase, testKafka } from '@messaging-gateway/testing';
import { Collector } from '../suites/collector.ts';
import { complete, facts, firstTimes, upTo } from '../suites/events.harness.ts';
import { journalFixture } from '../suites/journal.fixture.ts';
import { openOn } from './kafka.fixture.ts';
import { kafkaJsClient } from './kafkajs/client.ts';

describeWith('kafka', 'where events over Kafka begin', () => {
  let kafka: Awaited<ReturnType<typeof testKafka>>;
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let journal: ReturnType<typeof journalFixture>;
  beforeAll(async () => {
    [kafka, database] = await Promise.all([testKafka(), testDatabase()]);
    journal = journalFixture(database.url);
    await journal.migrate();
  });
  afterAll(async () => {
    await journal.close();
    await Promise.all([kafka.drop(), database.drop()]);
  });

  /** Tells the journal, and takes kinds in for a group. */
  const participant = async (group: string, kinds: readonly string[]) => {
    const opened = openOn(kafka.brokers, { topicPrefix: kafka.topicPrefix });
    const { close } = await journal.connect(opened.events);
    const came = new Collector<EventEnvelope>();
    const home = { schema: 'taker', pool: journal.pool };
    await opened.events.subscribe({ group, kinds, home, handler: async (event) => came.add(event) });
    const leave = async (): Promise<void> => {
      await opened.close();
      await close();
    };
    return { came, leave };
  };

  it('is the first record for a kind that a group takes up later', async () => {
    const first = await participant('growing', ['early']);
    await journal.tell([...facts('early', 3), ...facts('added', 3)]);
    await first.came.until(complete(['k'], 3));
    await first.leave();
    const second = await participant('growing', ['early', 'added']);
    const events = await second.came.until((all) => all.filter(({ type }) => type === 'added').length >= 3);
    expect(
      firstTimes(
        events.filter(({ type }) => type === 'added'),
        'k',
      ),
    ).toEqual(upTo(3));
    await second.leave();
  });

  it('is the retention of Kafka for a relay that has told nothing yet, and again after a restore', async () => {
    await journal.tell([...facts('old', 2), ...facts('young', 2)]);
    // The journal is in the order of time.
    await journal.pool.query("update teller.events set at = at - interval '8 days' where data->>'kind' <> 'young'");
    await journal.pool.query('DELETE FROM teller.relays');
    const first = await participant('restored', ['old', 'young']);
    await first.came.until((events) => events.filter(({ type }) => type === 'young').length >= 2);
    const ids = first.came.items.map(({ id }) => id);
    await first.leave();
    await journal.pool.query('UPDATE teller.journal SET generation = generation + 1, begun = generation + 1');
    const second = await participant('restored', ['old', 'young']);
    await second.came.until(2);
    expect(second.came.items.map(({ id }) => id).slice(0, 2)).toEqual(ids.slice(0, 2));
    await second.leave();
    const client = kafkaJsClient({ brokers: kafka.brokers, clientId: 'test', log: silentLogger });
    await eventually(async () => {
      const ends = await client.ends([`${kafka.topicPrefix}young`]);
      return ends.reduce((sum, { offset }) => sum + Number(offset), 0) >= 4 ? true : undefined;
    });
    await client.close();
    expect([...first.came.items, ...second.came.items].filter(({ type }) => type === 'old')).toEqual([]);
  });
});
