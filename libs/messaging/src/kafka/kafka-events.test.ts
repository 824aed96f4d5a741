import { fileURLToPath } from 'node:url';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { describeWith, testDatabase, testKafka } from '@messaging-gateway/testing';
import { childConsumer } from '../suites/child-consumer.ts';
import { eventsSuite } from '../suites/events.suite.ts';
import { journalFixture } from '../suites/journal.fixture.ts';
import { openKafka } from './open-kafka.ts';

const script = fileURLToPath(new URL('event-consumer.child.ts', import.meta.url));

describeWith('kafka', 'Kafka of the run', () => {
  eventsSuite('Kafka', async () => {
    const database = await testDatabase();
    const kafka = await testKafka();
    const { brokers, topicPrefix } = kafka;
    const { pool, migrate, tell, connect, close } = journalFixture(database.url);
    await migrate();
    return {
      tell,
      home: { schema: 'taker', pool },
      mayRepeat: true,
      connect: async ({ shuffled } = {}) => {
        const { events, close: closeBus } = openKafka({
          brokers,
          topicPrefix,
          clientId: 'suite',
          partitions: 3,
          replication: 1,
          retentionDays: 7,
          clock: systemClock,
          log: silentLogger,
          fetchWaitMs: 50,
          ...(shuffled === true && { shuffle: () => Math.random() * 20 }),
        });
        const connected = await connect(events);
        return {
          bus: connected.bus,
          close: async () => {
            await closeBus();
            await connected.close();
          },
        };
      },
      child: (group, kind) =>
        childConsumer(script, {
          DATABASE_URL: database.url,
          BROKERS: brokers.join(','),
          TOPIC_PREFIX: topicPrefix,
          GROUP: group,
          KIND: kind,
        }),
      close: async () => {
        await close();
        await kafka.drop();
        await database.drop();
      },
    };
  });
});
