import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import {
  describeWithRabbitMqPair,
  linkProfile,
  postgresPair,
  rabbitMqPair,
  register,
  severable,
  startDistributed,
  startWebhookReceiver,
  testKafka,
  testRedis,
  type Distributed,
  type PostgresPair,
  type RabbitMqPair,
  type Severable,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import { expectAllOnce } from '../load/expect-all-once.ts';
import { startLoad, type Load } from '../load/load.ts';

const secret = 'secret of the receiver';
/** Patience that ends only what is broken, milliseconds. */
const patienceMs = 900_000;

describeWithRabbitMqPair(['kafka', 'redis'], 'servers of two nodes, of which one goes', () => {
  let postgres: PostgresPair;
  let rabbitMq: RabbitMqPair;
  let toRabbitMq: Severable;
  let network: Simulator;
  let receiver: WebhookReceiver;
  let installation: Distributed;
  let load: Load;
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    [postgres, rabbitMq, network, receiver] = await Promise.all([
      postgresPair({ synchronous: true }),
      rabbitMqPair(),
      startSimulator(),
      startWebhookReceiver(secret),
    ]);
    ends.push(
      postgres.drop,
      rabbitMq.drop,
      () => network.stop(),
      () => receiver.stop(),
    );
    const [kafka, redis] = await Promise.all([testKafka(), testRedis()]);
    ends.push(kafka.drop, redis.drop);
    const [first] = rabbitMq.nodes;
    toRabbitMq = await severable(portOf(first.address.url));
    ends.push(() => toRabbitMq.close());
    installation = await startDistributed({
      databaseUrl: postgres.url,
      amqpUrl: first.address.url.replace(/:\d+$/, `:${toRabbitMq.port}`),
      brokers: kafka.brokers,
      topicPrefix: kafka.topicPrefix,
      cacheUrl: redis.url,
      readyMs: 600_000,
      environment: {
        SOCKET_ENGINE_URL: network.url,
        SOCKET_ENGINE_ROOT_KEY: network.rootKey,
        SOCKET_ENGINE_CA_FILE: network.caFile,
        WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
        WEBHOOK_RETRY_DELAY_MS: '1000',
        RATE_LIMIT_GLOBAL: 'off',
        RATE_LIMIT_AUTH: 'off',
        RATE_LIMIT_MAX: '0',
      },
    });
    ends.push(() => installation.stop());
    const world = { gateway: { call: installation.call }, network };
    const tenant = await register(world);
    await tenant.call('POST', '/webhooks', { url: receiver.url, secret, events: ['message.sent', 'message.received'] });
    const chat = { ...(await linkProfile(world, tenant, '4915112350001')), contact: '4915187650001' };
    load = startLoad({ tenant, network, receiver, chats: [chat], pauseMs: 150 });
    await load.progress(10);
  }, patienceMs);
  afterAll(async () => {
    await load?.stop().catch(() => undefined);
    for (const end of ends.reverse()) await end().catch(() => undefined);
  }, patienceMs);

  it(
    'RabbitMQ: the node that holds all queues is restarted; meanwhile they are served from the other',
    async () => {
      const [first, second] = rabbitMq.nodes;
      toRabbitMq.lead(portOf(second.address.url));
      await load.progress(10);
      await first.stop();
      await load.progress(20);
      await first.start();
      await load.progress(20);
    },
    patienceMs,
  );

  it(
    'PostgreSQL: the primary is killed, and its synchronous standby takes over',
    async () => {
      await postgres.failOver();
      await load.progress(20);
    },
    patienceMs,
  );

  it(
    'nothing that was acknowledged is lost, nothing arrives twice, order is kept, every event is told',
    async () => {
      await load.stop();
      const arrivals = await load.arrived();
      expect(load.acknowledged()).toBeGreaterThanOrEqual(80);
      expectAllOnce(arrivals);
    },
    patienceMs,
  );
});

const portOf = (url: string): number => Number(new URL(url).port);
