import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithOwn } from '@messaging-gateway/testing';
import { auditSuite } from './audit.suite.ts';
import { awaitedSendsSuite } from './awaited-sends.suite.ts';
import { mediaSuite } from './media.suite.ts';
import { notificationsSuite } from './notifications.suite.ts';
import { observabilitySuite } from './observability.suite.ts';
import { outsideConsumerSuite } from './outside-consumer.suite.ts';
import { processesSuite } from './processes.suite.ts';
import { queuedSendsSuite } from './queued-sends.suite.ts';
import { startPlainServers, startPlainWorld, type PlainServers, type PlainWorld } from './world.ts';

describeWithOwn(['rabbitmq', 'kafka', 'redis'], 'services over RabbitMQ, Kafka and Redis', () => {
  let servers: PlainServers;
  beforeAll(async () => {
    servers = await startPlainServers();
  }, 600_000);
  afterAll(() => servers?.end(), 600_000);

  // Needs an empty database without an installation.
  describe('a service in a process of its own', () => {
    processesSuite(() => servers);
  });

  describe('an installation with engines in workers', () => {
    let world: PlainWorld;
    beforeAll(async () => {
      world = await startPlainWorld(servers);
    }, 600_000);
    afterAll(() => world?.installation.stop(), 600_000);

    // First: counts what the installation has done until then.
    describe('observability', () => {
      observabilitySuite(() => world);
    });
    describe('media', () => {
      mediaSuite(() => world);
    });
    describe('audit', () => {
      auditSuite(() => world);
    });
    describe('notifications', () => {
      notificationsSuite(() => world);
    });
    describe('an outside Kafka consumer', () => {
      outsideConsumerSuite(() => world);
    });
    describe('outages while sends are queued', () => {
      queuedSendsSuite(() => world);
    });
    describe('outages while sends are awaited', () => {
      awaitedSendsSuite(() => world);
    });

    it('stops in order', async () => {
      const codes = await world.installation.stop();
      expect(new Set(Object.values(codes))).toEqual(new Set([0]));
    }, 600_000);
  });
});
