import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { profiles } from './profiles.ts';
import { tenants } from './tenants.ts';
import { user } from './user.ts';
import type { Verb } from './verb.ts';
import { views } from './views.ts';

let database: TestDatabase;
const before = { ...process.env };

beforeAll(async () => {
  database = await testDatabase();
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: 'k'.repeat(32),
    AMQP_URL: 'amqp://127.0.0.1:1',
  });
});
afterAll(async () => {
  process.env = before;
  await database.drop();
});

const id = '0198c0de-0000-7000-8000-000000000001';
const asked: readonly (readonly [Verb, ...string[]])[] = [
  [tenants, 'list'],
  [tenants, 'show', id],
  [profiles, 'list'],
  [profiles, 'disconnect', id],
  [user, 'reset-password', 'ada@example.com'],
  [views, 'identity'],
];

it.each(asked)('says of a database without migrations what to run: %#', async (verb, ...args) => {
  await expect(verb.run({ args, flags: {} })).rejects.toThrow(/^[^\n]*run messaging-gateway migrate first[^\n]*$/);
});
