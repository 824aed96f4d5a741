import { afterAll, beforeAll } from '@jest/globals';
import { describeWith, testKafka } from '@messaging-gateway/testing';
import { unreadableEntries } from '../suites/unreadable.suite.ts';
import { openOn } from './kafka.fixture.ts';

describeWith('kafka', 'an entry of a journal that is told to Kafka', () => {
  let kafka: Awaited<ReturnType<typeof testKafka>>;
  beforeAll(async () => {
    kafka = await testKafka();
  });
  afterAll(() => kafka.drop());
  unreadableEntries(() => openOn(kafka.brokers, { topicPrefix: kafka.topicPrefix }));
});
