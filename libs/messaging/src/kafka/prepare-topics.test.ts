import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { describeWith, eventually, testKafka, type TestKafka } from '@messaging-gateway/testing';
import { kafkaJsClient } from './kafkajs/client.ts';
import { prepareTopics } from './prepare-topics.ts';

const hourMs = 3_600_000;

/** Milliseconds at most. */
const keptFor = (config: ReadonlyMap<string, string>): number =>
  Number(config.get('retention.ms')) + Number(config.get('segment.ms'));

describeWith('kafka', 'topics prepared for a deployment', () => {
  let kafka: TestKafka;
  beforeAll(async () => {
    kafka = await testKafka();
  });
  afterAll(() => kafka.drop());

  const options = (more: { partitions?: number; retentionDays?: number; raisePartitions?: boolean } = {}) => ({
    brokers: kafka.brokers,
    topicPrefix: kafka.topicPrefix,
    clientId: 'test',
    log: silentLogger,
    partitions: 2,
    replication: 1,
    retentionDays: 7,
    ...more,
  });

  it('are made for every kind, internal ones apart, and kept no longer than configured', async () => {
    const { made } = await prepareTopics(options());
    expect(made).toContain(`${kafka.topicPrefix}message.sent`);
    expect(made).toContain(`${kafka.topicPrefix}internal.session.message`);
    const client = kafkaJsClient(options());
    const config = await client.topicConfig(`${kafka.topicPrefix}message.sent`);
    expect(keptFor(config)).toBe(7 * 24 * hourMs);
    expect(config.get('message.timestamp.type')).toBe('LogAppendTime');
    expect((await client.topics()).get(`${kafka.topicPrefix}message.sent`)).toBe(2);
    await client.close();
    expect(await prepareTopics(options())).toEqual({ made: [], settled: [], raised: [], small: [] });
  });

  it('take a new retention and keep their other settings', async () => {
    const topic = `${kafka.topicPrefix}connection.ready`;
    const client = kafkaJsClient(options());
    // Somebody's setting of this moment, which the broker may not have heard of when it is asked.
    await client.setTopicConfig(topic, { 'max.message.bytes': '2000000' });
    expect((await prepareTopics(options({ retentionDays: 3 }))).settled).toContain(topic);
    const config = await eventually(async () => {
      const read = await client.topicConfig(topic);
      return keptFor(read) === 3 * 24 * hourMs ? read : undefined;
    });
    expect(config.get('max.message.bytes')).toBe('2000000');
    expect(config.get('message.timestamp.type')).toBe('LogAppendTime');
    await client.close();
  });

  it('get more partitions only when that is asked for', async () => {
    const topic = `${kafka.topicPrefix}message.sent`;
    expect((await prepareTopics(options({ partitions: 4 }))).small).toContain(topic);
    expect((await prepareTopics(options({ partitions: 4, raisePartitions: true }))).raised).toContain(topic);
    const client = kafkaJsClient(options());
    await eventually(async () => ((await client.topics()).get(topic) === 4 ? true : undefined));
    await client.close();
  });
});
