import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openKafka, openRabbitMq, prepareTopics } from '@messaging-gateway/messaging/brokers';
import { openRedis } from '@messaging-gateway/redis';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { openDatabase, type ServiceDatabase } from '@messaging-gateway/service';
import { eventually } from '@messaging-gateway/testing';
import type { EncryptedWorld } from './world.ts';

const schema = 'encrypted';
const id = '0198c0de-0000-7000-8000-000000000001';
const isEncrypted = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

/** Each of them in this process. */
export function adaptersSuite(world: () => EncryptedWorld): void {
  const closing: (() => Promise<unknown>)[] = [];
  let database: ServiceDatabase;
  beforeAll(async () => {
    const { postgres, authorityFile } = world();
    database = await openDatabase({
      url: `${postgres.secureUrl}&sslrootcert=${authorityFile}`,
      schema,
      migrations: [],
      log: silentLogger,
    });
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  afterAll(() => database?.close());

  it('the database of a service, whose authority its URL names', async () => {
    expect(await database.sql.query(isEncrypted)).toEqual([{ ssl: true }]);
  });

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('Kafka with %s', async (mechanism) => {
    const { kafka, authority, user: username, password } = world();
    const options = {
      brokers: [kafka.secureUrl],
      tls: { ca: authority },
      credentials: { mechanism, username, password },
      clientId: 'test',
      topicPrefix: `${mechanism}.`,
      partitions: 1,
      replication: 1,
      retentionDays: 1,
      clock: systemClock,
      log: silentLogger,
    };
    expect((await prepareTopics(options)).made).toContain(`${mechanism}.message.sent`);
    const events = openKafka(options);
    closing.push(events.close);
    await events.reach();
  });

  describe('that learns of authorities from Node.js', () => {
    const trusted = getCACertificates('default');
    beforeAll(() => setDefaultCACertificates([...trusted, world().authority]));
    afterAll(() => setDefaultCACertificates(trusted));

    it('RabbitMQ: a request is answered', async () => {
      const rabbit = openRabbitMq({ url: world().rabbitMq.secureUrl, clock: systemClock, log: silentLogger });
      closing.push(rabbit.close);
      await rabbit.operations.serve('Echo', async ({ body }) => ({ status: 200, body }));
      await eventually(async () => (rabbit.state() === 'connected' ? true : undefined));
      const deadline = systemClock.now() + 60_000;
      const request = { requestId: id, resourceId: id, params: {}, query: {}, body: { n: 1 }, deadline };
      expect(await rabbit.operations.request('Echo', request)).toMatchObject({ status: 200, body: { n: 1 } });
    });

    it('Redis: a value is kept', async () => {
      const redis = openRedis({ url: world().redis.secureUrl, log: silentLogger });
      closing.push(redis.close);
      await eventually(async () => (redis.state() === 'connected' ? true : undefined));
      await redis.cache.set('kept', 'yes', 60_000);
      expect(await redis.cache.get('kept')).toBe('yes');
    });
  });
}
