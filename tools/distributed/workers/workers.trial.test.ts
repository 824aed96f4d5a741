import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeWith } from '@messaging-gateway/testing';
import { auditSuite } from './audit.suite.ts';
import { mediaSuite } from './media.suite.ts';
import { notificationsSuite } from './notifications.suite.ts';
import { observabilitySuite } from './observability.suite.ts';
import { outsideConsumerSuite } from './outside-consumer.suite.ts';
import { startWorkersWorld, type WorkersWorld } from './world.ts';

describeWith(['rabbitmq', 'kafka', 'redis'], 'an installation with engines in workers', () => {
  let world: WorkersWorld;
  beforeAll(async () => {
    world = await startWorkersWorld();
  }, 600_000);
  afterAll(() => world?.end(), 600_000);

  // First, because it counts what the installation has done until then.
  describe('that is watched', () => {
    observabilitySuite(() => world);
  });
  describe('media', () => {
    mediaSuite(() => world);
  });
  describe('the audit', () => {
    auditSuite(() => world);
  });
  describe('notifications', () => {
    notificationsSuite(() => world);
  });
  describe('an outside consumer', () => {
    outsideConsumerSuite(() => world);
  });
});
