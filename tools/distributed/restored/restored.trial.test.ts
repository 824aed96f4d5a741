import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeWith } from '@messaging-gateway/testing';
import { enginesBesideSuite } from './engines-beside.suite.ts';
import { restoredSuite } from './restored.suite.ts';
import { startRestoredWorld, type RestoredWorld } from './world.ts';

describeWith(['rabbitmq', 'kafka', 'redis'], 'an installation whose database is restored', () => {
  let world: RestoredWorld;
  beforeAll(async () => {
    world = await startRestoredWorld();
  }, 600_000);
  afterAll(() => world?.end(), 600_000);

  // First: searches all servers for what it has written, and nothing else.
  describe('before the backup, with engines beside the gateway', () => {
    enginesBesideSuite(() => world);
  });
  describe('after the restore, with engines in workers', () => {
    restoredSuite(() => world);
  });
});
