import { expect, it } from '@jest/globals';
import amqp from 'amqplib';
import { createClient } from '@redis/client';
import { eventually } from '../api-world.ts';
import { patientKafka } from '../patient-kafka.ts';
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
    const admin = patientKafka(brokers).admin();
    await admin.connect();
    // The broker hears of a change a moment after the controller.
    const own = (wanted: readonly string[]): Promise<true> =>
      eventually(async () => {
        const found = (await admin.listTopics()).filter((topic) => topic.startsWith(topicPrefix));
        return found.join() === wanted.join() ? true : undefined;
      });
    await admin.createTopics({ waitForLeaders: false, topics: [{ topic: `${topicPrefix}message.sent` }] });
    await own([`${topicPrefix}message.sent`]);
    await drop();
    await own([]);
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
