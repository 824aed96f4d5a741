import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { noMedia } from '@messaging-gateway/media/testing';
import { encryptionKeys, memoryCache, silentLogger, systemClock, type Logger } from '@messaging-gateway/runtime';
import { eventually, severable, testDatabase, type Severable, type TestDatabase } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { Counter, Registry } from 'prom-client';
import { v7 } from 'uuid';
import { counting, Increase } from './counting.fixture.ts';
import { runInProcess, withSettings } from './in-process.ts';
import type { ServiceModule } from './module.ts';
import { callAsGateway } from './testing/calling.ts';
import { testCaller } from './testing/test-caller.ts';

let database: TestDatabase;
let way: Severable;

beforeAll(async () => {
  database = await testDatabase();
  way = await severable(Number(new URL(database.url).port));
});

afterAll(async () => {
  await way.close();
  await database.drop();
});

it('begins again when a part found the database slow in its start, and does all of it once', async () => {
  const told: string[] = [];
  /** Has a part that opens a connection of its own when it starts. */
  const dialling: ServiceModule<object> = {
    name: 'inbox',
    storage: { schema: 'inbox', streams: [], inlineViews: [], guards: [] },
    migrations: [],
    connect: ({ metrics }) => {
      const dials = new Counter({ name: 'dials_total', help: 'Dials', registers: [metrics] });
      return {
        name: 'inbox',
        rows: [],
        publish: () => [],
        running: [
          {
            start: async () => {
              told.push('starts');
              dials.inc();
              const connectionString = Object.assign(new URL(database.url), { port: String(way.port) }).href;
              const pool = new Pool({ connectionString, connectionTimeoutMillis: 500 });
              try {
                await pool.query('SELECT 1');
              } finally {
                await pool.end();
              }
              told.push('has started');
            },
            stop: async () => void told.push('stops'),
          },
        ],
      };
    },
  };
  const log: Logger = {
    ...silentLogger,
    warn: (line) => {
      told.push(line);
      way.heal();
    },
    info: (line) => void told.push(line),
    child: () => silentLogger,
  };
  way.cut();
  const metrics = new Registry();
  const running = await runInProcess([withSettings(counting, {}), withSettings(dialling, {})], {
    databaseUrl: database.url,
    clock: systemClock,
    log,
    retentionDays: 30,
    metrics,
    cache: memoryCache(systemClock),
    media: noMedia,
    encryption: encryptionKeys('a test key with 32 characters...'),
  });
  const what = `PostgreSQL at ${new URL(database.url).host}`;
  const waits = `${what} answers slowly: the start waits for it`;
  expect(told).toEqual(['starts', 'stops', waits, 'starts', 'has started', `${what} answers`]);

  expect(await metrics.metrics()).toMatch(/^dials_total 1$/m);

  const asked = { caller: testCaller(), params: { id: v7() }, body: { by: 2 }, resourceId: v7() };
  const { body } = await callAsGateway(running.ports.operations, systemClock, Increase, asked);
  expect(body).toEqual({ count: 2 });
  const [first] = running.services;
  const seen = () => first!.database.sql.query('SELECT id FROM seen');
  await eventually(async () => ((await seen()).length > 0 ? true : undefined));
  expect(await seen()).toHaveLength(1);
  await running.stop();
  expect(told.at(-1)).toBe('stops');
});
