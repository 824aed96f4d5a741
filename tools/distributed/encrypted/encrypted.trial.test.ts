import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeWithSecured } from '@messaging-gateway/testing';
import { adaptersSuite } from './adapters.suite.ts';
import { faultsSuite } from './faults.suite.ts';
import { installationSuite } from './installation.suite.ts';
import { startEncryptedWorld, type EncryptedWorld } from './world.ts';

describeWithSecured(['postgres', 'rabbitmq', 'kafka', 'redis'], 'over encrypted connections', () => {
  let world: EncryptedWorld;
  beforeAll(async () => {
    world = await startEncryptedWorld();
  }, 600_000);
  afterAll(() => world?.end(), 600_000);

  describe('each adapter', () => {
    adaptersSuite(() => world);
  });
  describe('npm run start:distributed -- --simulator', () => {
    installationSuite(() => world);
  });
  describe('a service that cannot connect', () => {
    faultsSuite(() => world);
  });
});
