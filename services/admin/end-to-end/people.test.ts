import { afterAll, beforeAll } from '@jest/globals';
import { describeWithBrowser } from '@messaging-gateway/testing';
import { account } from './account.suite.ts';
import { contacts } from './contacts.suite.ts';
import { startAdminWorld, type AdminWorld } from './world.ts';

describeWithBrowser('people in the admin web UI', (program) => {
  let world: AdminWorld;
  beforeAll(async () => {
    world = await startAdminWorld(program);
  }, 600_000);
  afterAll(() => world?.end());
  contacts(() => world);
  account(() => world);
});
