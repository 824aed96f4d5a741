import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import { freePort } from '@messaging-gateway/postgres';
import {
  linkProfile,
  register,
  startGatewayProcess,
  startWebhookReceiver,
  testDatabase,
} from '@messaging-gateway/testing';
import type { GatewayProcess, TestDatabase, WebhookReceiver } from '@messaging-gateway/testing';
import { documentedMetrics } from './documented-metrics.ts';

const documented = documentedMetrics(
  readFileSync(fileURLToPath(new URL('../../docs/metrics.md', import.meta.url)), 'utf8'),
);

describe('docs/metrics.md', () => {
  let directory: string;
  let database: TestDatabase;
  let network: Simulator;
  let gateway: GatewayProcess;
  let receiver: WebhookReceiver;
  let text: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-metrics-'));
    [database, network] = await Promise.all([testDatabase(), startSimulator()]);
    const metricsPort = String(await freePort());
    gateway = await startGatewayProcess({
      NODE_ENV: 'test',
      DATA_DIR: directory,
      DATABASE_URL: database.url,
      METRICS_PORT: metricsPort,
      SOCKET_ENGINE_URL: network.url,
      SOCKET_ENGINE_ROOT_KEY: network.rootKey,
      SOCKET_ENGINE_CA_FILE: network.caFile,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      RATE_LIMIT_GLOBAL: 'off',
      LOG_LEVEL: 'warn',
    });
    receiver = await startWebhookReceiver('a secret of the receiver');
    const world = { gateway, network };
    const tenant = await register(world);
    await tenant.call('POST', '/webhooks', { url: receiver.url, events: ['*'] });
    const { profileId } = await linkProfile(world, tenant, '4915112345678', { dailyMessageLimit: 1 });
    for (const to of ['+4915187654321', '+4915187654322'])
      await tenant.call('POST', '/messages/text', { profileId, to, text: 'Hello' });
    await receiver.waitFor(({ event }) => event === 'message.sent');
    text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  });

  afterAll(async () => {
    await receiver.stop();
    await gateway.stop();
    await network.stop();
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('has every metric that a gateway serves, with its type and meaning, and no other', () => {
    const served = [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$/gm)]
      .map(([, name = '', meaning, type]) => ({ name, type, meaning }))
      .filter(({ name }) => !/^(nodejs|process)_/.test(name))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    expect(documented.map(({ name, type, meaning }) => ({ name, type, meaning }))).toEqual(served);
  });

  it('has their labels, which are bounded and hold no ids or addresses', () => {
    for (const { name, labels } of documented) {
      const samples = [...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{(.*)\\})? `, 'gm'))];
      for (const [, given = ''] of samples) {
        const found = [...given.matchAll(/(\w+)="([^"]*)"/g)].filter(([, label]) => label !== 'le');
        expect([name, found.map(([, label = '']) => label).sort()]).toEqual([name, [...labels].sort()]);
        for (const [, , value] of found) expect(value).not.toMatch(/\d{6}|[0-9a-f]{8}-|@|https?:/);
      }
    }
  });
});
