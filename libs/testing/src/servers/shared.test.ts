import { expect, it } from '@jest/globals';
import amqp from 'amqplib';
import kafkajs from 'kafkajs';
import { createClient } from '@redis/client';
import { describeWith } from './available.ts';
import { testKafka, testRabbitMq, testRedis } from './shared.ts';

describeWith('rabbitmq', 'the RabbitMQ of the run', () => {
  it('gives each test a virtual host of its own, gone when it is dropped', async () => {
    const [one, other] = [await testRabbitMq(), await testRabbitMq()];
    const connection = await amqp.connect(one.url);
    const channel = await connection.createChannel();
    await channel.assertQueue('kept');
    await connection.close();
    expect(await queues(one)).toEqual(['kept']);
    expect(await queues(other)).toEqual([]);
    await one.drop();
    await other.drop();
    await expect(amqp.connect(one.url)).rejects.toThrow();
  });
});

async function queues({ manage, virtualHost }: Awaited<ReturnType<typeof testRabbitMq>>): Promise<string[]> {
  const answer = await manage('GET', `/api/queues/${virtualHost}`);
  return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
}

describeWith('kafka', 'the Kafka of the run', () => {
  it('holds topics under a prefix of each test, gone when it is dropped', async () => {
    const { brokers, topicPrefix, drop } = await testKafka();
    const admin = new kafkajs.Kafka({
      clientId: 'test',
      brokers: [...brokers],
      logLevel: kafkajs.logLevel.NOTHING,
    }).admin();
    await admin.connect();
    const own = async (): Promise<string[]> =>
      (await admin.listTopics()).filter((topic) => topic.startsWith(topicPrefix));
    await admin.createTopics({ topics: [{ topic: `${topicPrefix}message.sent` }] });
    expect(await own()).toEqual([`${topicPrefix}message.sent`]);
    await drop();
    expect(await own()).toEqual([]);
    await admin.disconnect();
  });
});

describeWith('redis', 'the Redis of the run', () => {
  it('gives each test an empty database of its own', async () => {
    const [one, other] = [await testRedis(), await testRedis()];
    const [first, second] = [createClient({ url: one.url }), createClient({ url: other.url })];
    await Promise.all([first.connect(), second.connect()]);
    await first.set('kept', 'yes');
    expect(await second.get('kept')).toBeNull();
    await one.drop();
    expect(await first.get('kept')).toBeNull();
    await other.drop();
    [first, second].forEach((client) => client.destroy());
  });
});
