import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { audit } from './audit.suite.ts';
import { media } from './media.suite.ts';
import { people, type ExternalSettings } from './people.suite.ts';
import { tenants } from './tenants/tenants.suite.ts';
import { startWorld, type World } from './world.ts';

let database: TestDatabase;
let settings: ExternalSettings;
let world: World;
beforeAll(async () => {
  database = await testDatabase();
  settings = {
    DATABASE_URL: database.url,
    JWT_SECRET: randomBytes(32).toString('hex'),
    JWT_REFRESH_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(16).toString('hex'),
  };
  world = await startWorld(settings);
}, 600_000);
afterAll(async () => {
  await world?.end();
  await database?.drop();
});

const at = (): World => world;
people(at, () => settings);
tenants(at);
audit(at);
media(at);
