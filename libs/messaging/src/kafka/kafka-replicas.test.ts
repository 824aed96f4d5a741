import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { describeWith, testDatabase, testKafka } from '@messaging-gateway/testing';
import { childConsumer, type ChildConsumer } from '../suites/child-consumer.ts';
import { Collector } from '../suites/collector.ts';
import { complete, numberOf, upTo, type SuiteFact } from '../suites/events.harness.ts';
import { journalFixture } from '../suites/journal.fixture.ts';
import { openOn, tellOn, type Telling } from './kafka.fixture.ts';

const script = fileURLToPath(new URL('event-replica.child.ts', import.meta.url));
const patienceMs = 600_000;
const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

describeWith('kafka', 'replicas on Kafka', () => {
  let kafka: Awaited<ReturnType<typeof testKafka>>;
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let journal: ReturnType<typeof journalFixture>;
  const closing: (() => Promise<unknown>)[] = [];
  const tellings: Telling[] = [];

  beforeAll(async () => {
    [kafka, database] = await Promise.all([testKafka(), testDatabase()]);
    journal = journalFixture(database.url);
    await journal.migrate();
  });
  afterEach(async () => {
    for (const telling of tellings.splice(0)) await telling.stop();
  });
  afterAll(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await journal.close();
    await Promise.all([kafka.drop(), database.drop()]);
  });

  /** A process that tells, takes in, or both; what it takes in is collected. */
  const replica = async (
    came: Pick<Collector<SuiteFact>, 'add'>,
    environment: Record<string, string>,
  ): Promise<ChildConsumer> => {
    const { brokers, topicPrefix } = kafka;
    const child = await childConsumer(script, {
      DATABASE_URL: database.url,
      BROKERS: brokers.join(','),
      TOPIC_PREFIX: topicPrefix,
      ...environment,
    });
    closing.push(child.kill);
    const { items } = child.begun;
    let seen = 0;
    void child.begun.until(() => {
      for (; seen < items.length; seen += 1) came.add(JSON.parse(items[seen] ?? '') as SuiteFact);
      return false;
    });
    return child;
  };

  const telling = (kind: string): Telling => {
    const begun = tellOn(journal.tell, kind, keys);
    tellings.push(begun);
    return begun;
  };

  const numbersOf = (facts: readonly SuiteFact[], key: string): number[] => [
    ...new Set(facts.filter((fact) => fact.key === key).map(({ n }) => n)),
  ];
  const expectAll = async (came: Collector<SuiteFact>, count: number) => {
    const facts = await came.until(complete(keys, count));
    for (const key of keys) expect(numbersOf(facts, key)).toEqual(upTo(count));
  };

  it(
    'share the partitions; one that is killed leaves its events to the other',
    async () => {
      const [ofFirst, ofSecond, ofBoth] = [
        new Collector<SuiteFact>(),
        new Collector<SuiteFact>(),
        new Collector<SuiteFact>(),
      ];
      const andBoth = (one: Collector<SuiteFact>) => ({
        add: (fact: SuiteFact): void => {
          one.add(fact);
          ofBoth.add(fact);
        },
      });
      const first = await replica(andBoth(ofFirst), { KIND: 'shared' });
      await replica(andBoth(ofSecond), { KIND: 'shared', TELLS: 'yes' });
      const { stop } = telling('shared');
      await Promise.all([ofFirst.until(40), ofSecond.until(40)]);
      await first.kill();
      const count = await stop();
      await ofBoth.until(complete(keys, count));
      // In either process each key came in order; the second went on at or before the place where the first ended.
      for (const key of keys) {
        const [before, after] = [numbersOf(ofFirst.items, key), numbersOf(ofSecond.items, key)];
        expect(before.toSorted((one, other) => one - other)).toEqual(before);
        expect(numbersOf(ofBoth.items, key).toSorted((one, other) => one - other)).toEqual(upTo(count));
        expect(after.at(-1)).toBe(count - 1);
      }
    },
    patienceMs,
  );

  it(
    'tell a journal one at a time; the next goes on where a killed one was',
    async () => {
      const first = await replica(new Collector(), { TELLS: 'yes' });
      const { events, close } = openOn(kafka.brokers, { topicPrefix: kafka.topicPrefix });
      closing.push(close);
      const came = new Collector<SuiteFact>();
      await events.subscribe({
        group: 'watcher',
        kinds: ['told'],
        home: { schema: 'taker', pool: journal.pool },
        handler: async (event) => came.add({ kind: event.type, key: event.key, n: numberOf(event) }),
      });
      const { told, stop } = telling('told');
      await came.until(100);
      await replica(new Collector(), { TELLS: 'yes' });
      await first.kill();
      const killedAt = told();
      await came.until((facts) => facts.some(({ n }) => n > killedAt));
      await expectAll(came, await stop());
    },
    patienceMs,
  );
});
