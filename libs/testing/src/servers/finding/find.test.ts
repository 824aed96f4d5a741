import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { KeeperState } from '../keeper-client.ts';

const keeper = fileURLToPath(new URL('../keeper/main.ts', import.meta.url));

describe('a run finds its servers', () => {
  let child: ChildProcessByStdio<Writable, Readable, null> | undefined;

  afterEach(async () => {
    const ended = new Promise((resolve) => child?.on('exit', resolve));
    child?.stdin.end();
    await ended;
  });

  /** The state of a run at its start, on a machine with this environment and no Docker. */
  async function found(environment: Readonly<Record<string, string>>): Promise<KeeperState> {
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', keeper], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { TEST_DOCKER: 'off', ...environment },
    });
    const lines = createInterface({ input: child.stdout });
    return JSON.parse(await new Promise((resolve) => lines.once('line', resolve)));
  }

  it('says in one line each what to install where nothing is installed', async () => {
    const { docker, servers } = await found({ PATH: '/nowhere' });
    expect(docker).toBe(false);
    expect(servers.rabbitmq.missing).toMatch(
      /^RabbitMQ is not there: install it .*rabbitmq-server.*TEST_RABBITMQ_URL$/,
    );
    expect(servers.kafka.missing).toMatch(/^Kafka is not there: install it .*maven.*TEST_KAFKA_BROKERS$/);
    expect(servers.redis.missing).toMatch(/^Redis is not there: install it .*redis-server.*TEST_REDIS_URL$/);
  });

  it('takes the servers that the environment names, without starting any', async () => {
    const { url, servers } = await found({
      PATH: '/nowhere',
      TEST_REDIS_URL: 'redis://cache.example:6379',
      TEST_KAFKA_BROKERS: 'one.example:9092,two.example:9092',
    });
    expect([servers.redis.missing, servers.kafka.missing]).toEqual([undefined, undefined]);
    expect([servers.redis.own, servers.kafka.own]).toEqual([false, false]);
    const answer = await fetch(`${url}/shared/kafka`, { method: 'POST' });
    expect(await answer.json()).toEqual({ url: 'one.example:9092,two.example:9092' });
  });

  it('needs the management interface of a RabbitMQ that the environment names', async () => {
    const { servers } = await found({
      PATH: '/nowhere',
      TEST_RABBITMQ_URL: 'amqp://127.0.0.1:1',
      TEST_RABBITMQ_MANAGEMENT_URL: 'http://guest:guest@127.0.0.1:1',
    });
    expect(servers.rabbitmq.missing).toMatch(/TEST_RABBITMQ_MANAGEMENT_URL/);
  });
});
