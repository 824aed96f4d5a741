import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeWith,
  startDistributed,
  testDatabase,
  testKafka,
  testRabbitMq,
  testRedis,
  type Distributed,
} from '@messaging-gateway/testing';

describeWith(['rabbitmq', 'kafka', 'redis'], 'a distributed installation', () => {
  let installation: Distributed;
  const drops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const [database, rabbit, kafka, redis] = await Promise.all([
      testDatabase(),
      testRabbitMq(),
      testKafka(),
      testRedis(),
    ]);
    drops.push(database.drop, rabbit.drop, kafka.drop, redis.drop);
    installation = await startDistributed({
      databaseUrl: database.url,
      amqpUrl: rabbit.url,
      brokers: kafka.brokers,
      topicPrefix: kafka.topicPrefix,
      cacheUrl: redis.url,
    });
  }, 180_000);
  afterAll(async () => {
    await installation?.stop();
    await Promise.all(drops.map((drop) => drop()));
  }, 60_000);

  it('registers and logs in', async () => {
    const person = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' };
    const registered = await installation.call<{ accessToken: string }>('POST', '/auth/register', person);
    expect(registered.status).toBe(201);
    const credential = registered.body.accessToken;
    const accounts = await installation.call<{ items: object[] }>('GET', '/accounts', undefined, { credential });
    expect(accounts.body.items).toHaveLength(1);
    const { name: _, ...login } = person;
    expect((await installation.call('POST', '/auth/login', login)).status).toBe(200);
  });

  it('stops in order', async () => {
    const codes = await installation.stop();
    expect(new Set(Object.values(codes))).toEqual(new Set([0]));
  });
});
