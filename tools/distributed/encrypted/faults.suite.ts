import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, afterAll, expect, it } from '@jest/globals';
import { freePort } from '@messaging-gateway/postgres';
import { environmentOf, eventually, Replica, testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import type { EncryptedWorld } from './world.ts';

const wrongPassword = 'nobody-has-this-one';

/** Runs a program of an operator to its end. @returns its code and what it complains of */
function run(
  program: string,
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ code: number; complaint: string }> {
  const file = fileURLToPath(new URL(`../../../services/standalone/src/${program}.ts`, import.meta.url));
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', file, ...args],
      { env },
      (error, _, complaint) => resolve({ code: Number(error?.code ?? 0), complaint }),
    );
  });
}

/** A service is started with settings that are wrong for all four servers: each fault is said, with its variable. */
export function faultsSuite(world: () => EncryptedWorld): void {
  let service: Replica | undefined;
  let plainDatabase: TestDatabase;
  beforeAll(async () => {
    plainDatabase = await testDatabase();
  });
  afterAll(() => plainDatabase?.drop());
  afterEach(async () => {
    await service?.end('SIGKILL');
  });

  const said = (): string => readFileSync(service?.logFile ?? '', { encoding: 'utf8', flag: 'a+' });

  /** @returns why the service waits for each server; a server that is there is not named */
  async function waitsFor(servers: readonly string[], changed: Readonly<Record<string, string>>) {
    const { addresses, environment, directory, password } = world();
    const healthPort = await freePort();
    service = new Replica({
      service: 'insights',
      environment: {
        ...environmentOf({ ...addresses, environment }, directory),
        HEALTH_PORT: String(healthPort),
        ...changed,
      },
      logFile: join(directory, `insights-${healthPort}.log`),
      healthPort,
    });
    service.spawn();
    const reasons = await eventually(async () => {
      // Until a first attempt has failed, Redis is only known to be away.
      const reason = '.*reason=(?!away\\b)(.*)';
      const lines = servers.map((server) => new RegExp(`Waiting for ${server} at \\S+ ${reason}`).exec(said()));
      return lines.every((line) => line !== null) ? lines.map((line) => line?.[1] ?? '') : undefined;
    });
    for (const secret of [password, wrongPassword]) expect(said()).not.toContain(secret);
    return Object.fromEntries(reasons.map((reason, n) => [servers[n], reason]));
  }

  const all = ['PostgreSQL', 'RabbitMQ', 'Kafka', 'Redis'];
  /** The address with another port, as somebody confuses them. */
  const at = (url: string, other: string): string => Object.assign(new URL(url), { port: new URL(other).port }).href;

  it('names the variable of a password that is refused', async () => {
    const { addresses, password } = world();
    const wrong = (url: string): string => url.replace(password, wrongPassword);
    const reasons = await waitsFor(all, {
      DATABASE_URL: wrong(addresses.databaseUrl),
      AMQP_URL: wrong(addresses.amqpUrl),
      CACHE_URL: wrong(addresses.cacheUrl),
      KAFKA_PASSWORD: wrongPassword,
    });
    expect(reasons).toEqual({
      PostgreSQL: expect.stringMatching(/password authentication failed.*: see DATABASE_URL/),
      RabbitMQ: expect.stringMatching(/ACCESS_REFUSED.*: see AMQP_URL/),
      Kafka: expect.stringMatching(
        /invalid credentials.*: see KAFKA_USERNAME, KAFKA_PASSWORD and KAFKA_SASL_MECHANISM/,
      ),
      Redis: expect.stringMatching(/WRONGPASS.*: see CACHE_URL/),
    });
  }, 600_000);

  it('names the variable of a virtual host that is not there', async () => {
    const { RabbitMQ } = await waitsFor(['RabbitMQ'], { AMQP_URL: `${world().addresses.amqpUrl}/nowhere` });
    expect(RabbitMQ).toContain('its virtual host is not there, or not for this user: see AMQP_URL');
  }, 600_000);

  it('says where an authority is named that it does not trust', async () => {
    const untrusted = 'its certificate is from an authority that is not trusted here: see ';
    expect(await waitsFor(all, { NODE_EXTRA_CA_CERTS: '' })).toEqual({
      PostgreSQL: expect.stringContaining(`${untrusted}NODE_EXTRA_CA_CERTS or sslrootcert in DATABASE_URL`),
      RabbitMQ: expect.stringContaining(`${untrusted}NODE_EXTRA_CA_CERTS`),
      Kafka: expect.stringContaining(`${untrusted}KAFKA_TLS or NODE_EXTRA_CA_CERTS`),
      Redis: expect.stringContaining(`${untrusted}NODE_EXTRA_CA_CERTS`),
    });
  }, 600_000);

  it('says that a port takes no TLS', async () => {
    const { addresses, rabbitMq, kafka, redis } = world();
    const reasons = await waitsFor(all, {
      DATABASE_URL: `${plainDatabase.url}?sslmode=verify-full`,
      AMQP_URL: at(addresses.amqpUrl, rabbitMq.url),
      KAFKA_BROKERS: kafka.url,
      CACHE_URL: at(addresses.cacheUrl, redis.url),
    });
    expect(reasons).toEqual({
      PostgreSQL: expect.stringContaining('it takes no TLS on this port: see sslmode in DATABASE_URL'),
      RabbitMQ: expect.stringContaining('it takes no TLS on this port: see amqps:// in AMQP_URL'),
      Kafka: expect.stringContaining('perhaps it takes no TLS on this port, see KAFKA_TLS'),
      Redis: expect.stringContaining('perhaps it takes no TLS on this port, see rediss:// in CACHE_URL'),
    });
  }, 600_000);

  it('says that a port may take TLS only', async () => {
    const { addresses, postgres } = world();
    const reasons = await waitsFor(all, {
      DATABASE_URL: Object.assign(new URL(postgres.url), { username: 'sealed' }).href,
      AMQP_URL: addresses.amqpUrl.replace('amqps:', 'amqp:'),
      KAFKA_TLS: 'false',
      CACHE_URL: addresses.cacheUrl.replace('rediss:', 'redis:'),
    });
    expect(reasons).toEqual({
      PostgreSQL: expect.stringContaining('it takes TLS only, see sslmode in DATABASE_URL'),
      RabbitMQ: expect.stringContaining('perhaps it takes TLS only on this port, see amqps:// in AMQP_URL'),
      Kafka: expect.stringContaining('perhaps it takes TLS only on this port, see KAFKA_TLS'),
      Redis: expect.stringContaining('perhaps it takes TLS only on this port, see rediss:// in CACHE_URL'),
    });
  }, 600_000);

  it('is a gateway in one process, or a command: it ends with the same words', async () => {
    const { addresses, environment, directory } = world();
    const given = { ...environmentOf({ ...addresses, environment }, directory), NODE_EXTRA_CA_CERTS: '' };
    const alone = { ...given, ENGINE_HOST: 'api', AMQP_URL: '', KAFKA_BROKERS: '', DATA_DIR: join(directory, 'data') };
    const started = await run('main', alone);
    expect(started).toEqual({
      code: 1,
      complaint: expect.stringMatching(/^PostgreSQL at .* is not trusted here: see /),
    });
    const topics = await run('operator/main', given, 'topics');
    expect(topics).toEqual({ code: 1, complaint: expect.stringMatching(/not trusted here: see KAFKA_TLS or /) });
  }, 600_000);

  it('says that it cannot read the authorities that it is to trust', async () => {
    const { addresses, environment, directory } = world();
    const given = { ...environmentOf({ ...addresses, environment }, directory), NODE_EXTRA_CA_CERTS: '/nowhere.pem' };
    const { code, complaint } = await run('main', given);
    expect([code, complaint]).toEqual([1, expect.stringMatching(/NODE_EXTRA_CA_CERTS ENOENT/)]);
  }, 600_000);
}
