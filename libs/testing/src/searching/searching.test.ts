import { expect, it } from '@jest/globals';
import { createClient } from '@redis/client';
import { patientKafka } from '../patient-kafka.ts';
import { describeWith } from '../servers/available.ts';
import { testKafka, testRabbitMq, testRedis } from '../servers/shared.ts';
import { searchKafka } from './kafka.ts';
import { searchRabbitMq } from './rabbitmq.ts';
import { searchRedis } from './redis.ts';

const texts = ['4915112345999', 'a secret word'];

describeWith('rabbitmq', 'a search of RabbitMQ', () => {
  it('finds what lies in queues, and leaves it there', async () => {
    const rabbit = await testRabbitMq();
    const { manage, virtualHost } = rabbit;
    await manage('PUT', `/api/queues/${virtualHost}/kept`, { durable: true });
    const message = { routing_key: 'kept', payload: 'said a secret word', payload_encoding: 'string', properties: {} };
    await manage('POST', `/api/exchanges/${virtualHost}/amq.default/publish`, message);
    for (let time = 0; time < 2; time += 1)
      expect(await searchRabbitMq(rabbit, texts)).toEqual([{ queue: 'kept', hidden: 0, found: ['a secret word'] }]);
    await rabbit.drop();
  });
});

describeWith('redis', 'a search of Redis', () => {
  it('finds texts in keys and in values of every type', async () => {
    const redis = await testRedis();
    const client = createClient({ url: redis.url });
    await client.connect();
    await client.set('of 4915112345999', '1');
    await client.hSet('hash', 'field', 'a secret word');
    await client.lPush('list', 'a secret word');
    await client.sAdd('set', 'a secret word');
    await client.zAdd('sorted', { score: 1, value: 'a secret word' });
    await client.set('other', 'nothing');
    client.destroy();
    const found = await searchRedis(redis.url, texts);
    expect(found.map(({ key }) => key).toSorted()).toEqual(['hash', 'list', 'of 4915112345999', 'set', 'sorted']);
    await redis.drop();
  });
});

describeWith('kafka', 'a search of Kafka', () => {
  it('tells texts in values from those elsewhere, and how long a topic keeps them', async () => {
    const { brokers, topicPrefix, drop } = await testKafka();
    const topic = `${topicPrefix}told`;
    const kafka = patientKafka(brokers);
    const admin = kafka.admin();
    await admin.connect();
    const configEntries = [
      { name: 'cleanup.policy', value: 'compact' },
      { name: 'retention.ms', value: '1000000' },
    ];
    await admin.createTopics({ waitForLeaders: false, topics: [{ topic, numPartitions: 2, configEntries }] });
    const producer = kafka.producer({ idempotent: true });
    await producer.connect();
    const messages = [
      { key: 'of 4915112345999', value: 'x' },
      { key: 'k', value: 'said a secret word' },
    ];
    await producer.send({ topic, messages });
    await Promise.all([producer.disconnect(), admin.disconnect()]);
    expect(await searchKafka(brokers, topicPrefix, texts)).toEqual([
      expect.objectContaining({
        records: 2,
        inValues: ['a secret word'],
        elsewhere: ['4915112345999'],
        cleanupPolicy: 'compact',
        retentionMs: 1_000_000,
      }),
    ]);
    await drop();
  });
});
