import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import { describeWithOwn, ownKafka, severable, testDatabase } from '@messaging-gateway/testing';
import { Collector } from '../suites/collector.ts';
import { complete, firstTimes, numberOf, undisturbed, upTo } from '../suites/events.harness.ts';
import { journalFixture } from '../suites/journal.fixture.ts';
import { openOn, tellOn, type Telling } from './kafka.fixture.ts';
import type { KafkaOptions } from './options.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];
/** A broker that starts on a busy machine takes its time. */
const patienceMs = 600_000;

describeWithOwn('kafka', 'events over a Kafka that fails', () => {
  let kafka: Awaited<ReturnType<typeof ownKafka>>;
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let journal: ReturnType<typeof journalFixture>;
  const closing: (() => Promise<unknown> | void)[] = [];
  const tellings: Telling[] = [];

  beforeAll(async () => {
    [kafka, database] = await Promise.all([ownKafka(), testDatabase()]);
    journal = journalFixture(database.url);
    await journal.migrate();
  }, patienceMs);
  afterEach(async () => {
    for (const telling of tellings.splice(0)) await telling.stop();
  });
  afterAll(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await journal.close();
    await Promise.all([kafka.drop(), database.drop()]);
  }, patienceMs);

  const telling = (kind: string): Telling => {
    const begun = tellOn(journal.tell, kind, keys);
    tellings.push(begun);
    return begun;
  };

  /** Tells and consumes in this process. */
  const participant = async (kind: string, options: Partial<KafkaOptions> = {}) => {
    const opened = openOn(kafka.brokers, { topicPrefix: `${kind}.`, ...options });
    const { close } = await journal.connect(opened.events);
    const came = new Collector<EventEnvelope>();
    await opened.events.subscribe({
      group: 'taker',
      kinds: [kind],
      home: { schema: 'taker', pool: journal.pool },
      handler: async (event) => came.add(event),
    });
    closing.push(close, opened.close);
    return { ...opened, came };
  };

  const expectAll = async (came: Collector<EventEnvelope>, count: number) => {
    const events = await came.until(complete(keys, count));
    for (const key of keys) expect(firstTimes(events, key)).toEqual(upTo(count));
  };

  it(
    'are lost by no kill -9 of the broker, and keep their order',
    async () => {
      const { came, state } = await participant('killed');
      const { told, stop } = telling('killed');
      await came.until(100);
      await kafka.kill();
      const before = told();
      while (told() < before + 20) await delay(10);
      await kafka.start();
      await expectAll(came, await stop());
      while (state() !== 'connected') await delay(20);
    },
    patienceMs,
  );

  it(
    'wait for a broker that comes up after the services',
    async () => {
      await kafka.stop();
      const { came, state, heldUp } = await participant('late');
      const { stop } = telling('late');
      while (heldUp().size < 2) await delay(20);
      expect(state()).toBe('connecting');
      const count = await stop();
      expect(came.items).toEqual([]);
      await kafka.start();
      await expectAll(came, count);
    },
    patienceMs,
  );

  it(
    'go on after a time in which nothing reaches the broker or comes from it',
    async () => {
      const way = await severable(Number(kafka.url.split(':')[1]));
      closing.push(way.close);
      const reachedAt = () => ({ host: '127.0.0.1', port: way.port });
      const { came, state } = await participant('severed', { reachedAt });
      const { stop } = telling('severed');
      await came.until(100);
      way.cut();
      // Longer than a membership lasts without a sign.
      await delay(12_000);
      expect(state()).toBe('connecting');
      way.heal();
      await expectAll(came, await stop());
      while (state() !== 'connected') await delay(20);
    },
    patienceMs,
  );

  it(
    'that take longer than a membership lasts without a sign are handled once',
    async () => {
      const { events, close } = openOn(kafka.brokers, { topicPrefix: 'slow.' });
      const { close: closeJournal } = await journal.connect(events);
      closing.push(closeJournal, close);
      let tries = 0;
      const handledOnce = async (): Promise<void> => {
        const kind = `slow-${(tries += 1)}`;
        const steps = new Collector<string>();
        await events.subscribe({
          group: kind,
          kinds: [kind],
          home: { schema: 'taker', pool: journal.pool },
          handler: async (event) => {
            steps.add(`begun ${numberOf(event)}`);
            if (numberOf(event) === 0) await delay(12_000);
            steps.add(`done ${numberOf(event)}`);
          },
        });
        await journal.tell([0, 1].map((n) => ({ kind, key: 'k', n })));
        expect(await steps.until(4)).toEqual(['begun 0', 'done 0', 'begun 1', 'done 1']);
      };
      // A machine that stands still for as long costs the membership all the same.
      await undisturbed(handledOnce, 3);
    },
    patienceMs,
  );
});
