import { serviceNames, type ServiceName } from '@messaging-gateway/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import {
  describeWith,
  linkProfile,
  register,
  startDistributed,
  startWebhookReceiver,
  type Answer,
  type Distributed,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { expectAllOnce } from '../load/expect-all-once.ts';
import { startLoad, type Load } from '../load/load.ts';
import { testServers, type TestServers } from '../test-servers.ts';
import { previousVersion, type PreviousVersion } from './previous-version.ts';

const secret = 'secret of the receiver';
const [previous, present] = [0, 1];
/** Longer than a balancer takes to notice that a gateway says 503 on its readiness. */
const noticedMs = 500;
describeWith(['rabbitmq', 'kafka', 'redis'], 'the version before and this one', () => {
  let before: PreviousVersion;
  let servers: TestServers;
  let network: Simulator;
  let receiver: WebhookReceiver;
  let installation: Distributed;
  let load: Load;
  const faults: string[] = [];
  /** Gateways that a balancer would send requests to. */
  const serving = new Set([previous]);

  beforeAll(async () => {
    before = await previousVersion();
    [servers, network, receiver] = await Promise.all([testServers(), startSimulator(), startWebhookReceiver(secret)]);
    installation = await startDistributed({
      ...servers,
      root: before.folder,
      otherRoot: process.cwd(),
      readyMs: 600_000,
      environment: {
        // In tests a gateway compares each answer with its contract.
        NODE_ENV: 'development',
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
    const world = { gateway: { call: calling }, network };
    const tenant = await register(world);
    await tenant.call('POST', '/webhooks', { url: receiver.url, secret, events: ['message.sent', 'message.received'] });
    const chat = { ...(await linkProfile(world, tenant, '4915112349001')), contact: '4915187659001' };
    load = startLoad({ tenant, network, receiver, chats: [chat], pauseMs: 50 });
    await load.progress(5);
  }, 900_000);
  afterAll(async () => {
    await load?.stop().catch(() => undefined);
    await installation?.stop();
    await Promise.allSettled([network?.stop(), receiver?.stop(), servers?.drop()]);
    before?.remove();
  }, 600_000);

  let calls = 0;
  const calling: Distributed['call'] = async <Body>(
    ...[method, path, body, options]: Parameters<Distributed['call']>
  ) => {
    const gateways = [...serving];
    const gateway = gateways[calls++ % gateways.length] ?? previous;
    const answer: Answer<Body> = await installation.call<Body>(method, path, body, { ...options, gateway });
    if (answer.status >= 500) faults.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };

  async function join(service: ServiceName, version: number): Promise<void> {
    await installation.start(service, version);
    if (service === 'gateway') serving.add(version);
  }

  async function leave(service: ServiceName, version: number): Promise<void> {
    if (service === 'gateway') {
      serving.delete(version);
      await sleep(noticedMs);
    }
    expect(await installation.terminate(service, version)).toBe(0);
  }

  it.each(serviceNames)(
    'work side by side while %s is replaced',
    async (service) => {
      await join(service, present);
      await load.progress(5);
      await leave(service, previous);
      await load.progress(3);
    },
    600_000,
  );

  it('work side by side on the way back', async () => {
    await Promise.all(serviceNames.map((service) => join(service, previous)));
    await load.progress(10);
    await Promise.all(serviceNames.map((service) => leave(service, present)));
    await load.progress(5);
  }, 600_000);

  it('lose nothing, refuse nothing, and give nothing up', async () => {
    await load.stop();
    expectAllOnce(await load.arrived(120_000));
    expect(faults).toEqual([]);
    const database = new Pool({ connectionString: servers.databaseUrl, max: 1 });
    try {
      const { rows } = await database.query<{ schema: string }>(
        `SELECT table_schema AS SCHEMA FROM information_schema.tables WHERE table_name = 'dead_letters'`,
      );
      for (const { schema } of rows)
        expect((await database.query(`SELECT name, reason FROM ${schema}.dead_letters`)).rows).toEqual([]);
    } finally {
      await database.end();
    }
  }, 300_000);
});
