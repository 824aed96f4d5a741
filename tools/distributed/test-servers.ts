import {
  testDatabase,
  testKafka,
  testRabbitMq,
  testRedis,
  type DistributedServers,
  type TestRabbitMq,
} from '@messaging-gateway/testing';

export interface TestServers extends DistributedServers {
  readonly rabbitMq: TestRabbitMq;
  drop(): Promise<void>;
}

/** All servers of a distributed installation, empty and a test's own. */
export async function testServers(): Promise<TestServers> {
  const [database, rabbit, kafka, redis] = await Promise.all([
    testDatabase(),
    testRabbitMq(),
    testKafka(),
    testRedis(),
  ]);
  return {
    databaseUrl: database.url,
    amqpUrl: rabbit.url,
    rabbitMq: rabbit,
    brokers: kafka.brokers,
    topicPrefix: kafka.topicPrefix,
    cacheUrl: redis.url,
    drop: async () => void (await Promise.allSettled([database, rabbit, kafka, redis].map((one) => one.drop()))),
  };
}
