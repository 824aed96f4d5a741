import type { ServiceName } from '@messaging-gateway/contracts';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@messaging-gateway/postgres';
import { lockData } from '@messaging-gateway/service';
import { environmentOf, eventually, Replica, type DistributedServers } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { openWay } from './late-server.ts';
import type { PlainServers } from './world.ts';

const patienceMs = 400_000;

/** Single services that start, wait and end beside servers whose database is empty. */
export function processesSuite(given: () => PlainServers): void {
  const running: Replica[] = [];
  let servers: DistributedServers;
  let directory: string;
  beforeAll(() => {
    ({
      own: { urls: servers },
      directory,
    } = given());
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.end('SIGKILL')));
  });

  async function spawn(service: ServiceName, changed: Record<string, string> = {}): Promise<Replica> {
    const healthPort = await freePort();
    const replica = new Replica({
      service,
      environment: { ...environmentOf(servers, directory), HEALTH_PORT: String(healthPort), API_PORT: '0', ...changed },
      logFile: join(directory, `${service}-${running.length}-${healthPort}.log`),
      healthPort,
    });
    running.push(replica);
    replica.spawn();
    return replica;
  }
  const said = ({ logFile }: Replica): string => readFileSync(logFile, { encoding: 'utf8', flag: 'a+' });
  const saysOf = (replica: Replica, text: RegExp): Promise<string> =>
    eventually(async () => text.exec(said(replica))?.[0], patienceMs);

  it(
    'waits for its servers, whichever comes last, and says for which',
    async () => {
      const [database, rabbit, kafka, redis] = [await freePort(), await freePort(), await freePort(), await freePort()];
      const at = (url: string, port: number): string => Object.assign(new URL(url), { port: String(port) }).href;
      const service = await spawn('webhooks', {
        DATABASE_URL: at(servers.databaseUrl, database),
        AMQP_URL: at(servers.amqpUrl, rabbit),
        KAFKA_BROKERS: `127.0.0.1:${kafka}`,
        CACHE_URL: at(servers.cacheUrl, redis),
      });
      await saysOf(service, new RegExp(`Waiting for PostgreSQL at \\S+:${database}`));
      await saysOf(service, new RegExp(`Waiting for RabbitMQ at \\S+:${rabbit}`));
      await saysOf(service, new RegExp(`Waiting for Kafka at \\S+:${kafka}`));
      await saysOf(service, new RegExp(`Waiting for Redis at \\S+:${redis}`));
      expect(await (await service.health('/ready')).json()).toMatchObject({
        status: 'starting',
        checks: { database: 'down', rabbitmq: 'down', cache: 'down' },
      });
      expect(said(service)).not.toContain(new URL(servers.databaseUrl).password || 'postgres:');
      const ways = [
        await openWay(kafka, `tcp://${servers.brokers[0]}`),
        await openWay(redis, servers.cacheUrl.replace('redis:', 'tcp:')),
        await openWay(rabbit, servers.amqpUrl.replace('amqp:', 'tcp:')),
        await openWay(database, servers.databaseUrl.replace(/^postgres(ql)?:/, 'tcp:')),
      ];
      await service.ready(patienceMs);
      expect((await service.health('/health')).status).toBe(200);
      expect(await (await service.health('/metrics')).text()).toContain('process_cpu_seconds_total');
      expect(await service.end('SIGTERM')).toBe(0);
      await Promise.all(ways.map((close) => close()));
    },
    2 * patienceMs,
  );

  it('ends at once and in order while it waits', async () => {
    const service = await spawn('inbox', { AMQP_URL: `amqp://guest:guest@127.0.0.1:${await freePort()}` });
    await saysOf(service, /Waiting for RabbitMQ/);
    expect(await service.end('SIGTERM')).toBe(0);
  }, 600_000);

  it('ends at once while another process migrates; a command migrates beforehand', async () => {
    const other = new Client(servers.databaseUrl);
    await other.connect();
    await other.query(`SELECT pg_advisory_lock(7260816, hashtext('inbox'))`);
    const service = await spawn('inbox');
    await saysOf(service, /Waiting for the schema inbox.*another process migrates it/);
    expect(await service.end('SIGTERM')).toBe(0);
    await other.query('SELECT pg_advisory_unlock_all()');
    expect(await command('migrate', { DATABASE_URL: servers.databaseUrl })).toMatchObject({ code: 0 });
    const { rows } = await other.query(`SELECT to_regclass('inbox.messages') IS NOT NULL AS made`);
    expect(rows).toEqual([{ made: true }]);
    await other.end();
  }, 600_000);

  it('names all faults of its settings at once, and asks for no secret that it does not need', async () => {
    const broken = {
      DATABASE_URL: '',
      AMQP_URL: 'http://x',
      KAFKA_BROKERS: 'kafka',
      CACHE_URL: '',
      ENCRYPTION_KEY: 'x',
    };
    const service = await spawn('outbound', {
      ...broken,
      DURABLE_SEND: 'maybe',
      JWT_SECRET: '',
      JWT_REFRESH_SECRET: '',
    });
    expect(await service.ended).toBe(1);
    for (const variable of [...Object.keys(broken), 'DURABLE_SEND']) expect(said(service)).toContain(variable);
    expect(said(service)).not.toContain('JWT');
    expect(said(service).trim().split('\n')).toHaveLength(1);
    const gateway = await spawn('gateway', { ENCRYPTION_KEY: '', JWT_REFRESH_SECRET: '', AMQP_URL: '' });
    expect(await gateway.ended).toBe(1);
    expect(said(gateway)).toMatch(/^The configuration has a fault: AMQP_URL is required/);
  }, 600_000);

  it(
    'shares its database with its like only, and with the commands that may run beside it',
    async () => {
      const unlock = await lockData({ url: servers.databaseUrl, serving: 'alone', inUse: 'in use' });
      const refused = await spawn('inbox');
      expect(await refused.ended).toBe(1);
      expect(said(refused)).toContain('cannot run beside it');
      await unlock();
      const services = [await spawn('inbox'), await spawn('inbox')];
      await Promise.all(services.map((one) => one.ready(patienceMs)));
      const standalone = { DATABASE_URL: servers.databaseUrl, DATA_DIR: join(directory, 'data'), API_PORT: '0' };
      expect(await command('start', standalone)).toMatchObject({
        code: 1,
        complaint: expect.stringContaining('Another gateway already runs'),
      });
      const given = environmentOf(servers, directory);
      expect(await command('migrate', given, 'contract')).toMatchObject({ code: 0, complaint: '' });
      const file = join(directory, 'backup');
      expect(await command('backup', given, file)).toMatchObject({ code: 0, complaint: '' });
      expect(await command('views', given, 'inbox')).toMatchObject({ code: 0, complaint: '' });
      expect(await command('restore', given, file)).toMatchObject({
        code: 1,
        complaint: expect.stringContaining('Another gateway already runs'),
      });
      for (const one of services) expect(await one.end('SIGTERM')).toBe(0);
    },
    2 * patienceMs,
  );
}

interface Ended {
  readonly code: number;
  readonly complaint: string;
}

function command(verb: string, environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
  const file = fileURLToPath(new URL('../../../services/standalone/src/operator/main.ts', import.meta.url));
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', file, verb, ...args],
      { env },
      (error, _, complaint) => resolve({ code: Number(error?.code ?? 0), complaint }),
    );
  });
}
