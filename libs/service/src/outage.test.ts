import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Refused } from '@messaging-gateway/messaging';
import { startPostgres, type PostgresServer } from '@messaging-gateway/postgres';
import { noMedia } from '@messaging-gateway/media/testing';
import { encryptionKeys, memoryCache, silentLogger, testClock, type Logger } from '@messaging-gateway/runtime';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { counting, Increase } from './counting.fixture.ts';
import { runInProcess, withSettings, type RunningServices } from './in-process.ts';
import { callAsGateway } from './testing/calling.ts';
import { testCaller } from './testing/test-caller.ts';

const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-outage-'));
const said: string[] = [];
const listening: Logger = { ...silentLogger, warn: (message) => void said.push(message), child: () => listening };
const clock = testClock();
let server: PostgresServer;
let running: RunningServices;

beforeAll(async () => {
  server = await startPostgres({ directory, password: 'test' });
  running = await runInProcess([withSettings(counting, {})], {
    databaseUrl: server.url,
    clock,
    log: listening,
    retentionDays: 30,
    metrics: new Registry(),
    cache: memoryCache(clock),
    media: noMedia,
    encryption: encryptionKeys('a test key with 32 characters...'),
  });
});

afterAll(async () => {
  await running.stop();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** As a client with an Idempotency-Key: the same request again until it is answered. */
async function increase(id: string): Promise<number> {
  const resourceId = v7();
  let unanswered = 0;
  for (;;) {
    try {
      await callAsGateway(running.ports.operations, clock, Increase, {
        caller: testCaller(),
        params: { id },
        body: { by: 1 },
        resourceId,
        timeoutMs: 5_000,
      });
      return unanswered;
    } catch (error) {
      if ((error as Refused).code !== 'SERVICE_UNAVAILABLE') throw error;
      unanswered += 1;
      await clock.sleep(20);
    }
  }
}

it('what is older than the retention is deleted, hour by hour', async () => {
  const sql = running.services[0]!.database.sql;
  await sql.query(
    `INSERT INTO dead_letters (consumer, name, id, key, reason, envelope, failed_at)
     VALUES ('a', 'b', 'old', 'k', 'r', '{}', now() - interval '40 days'), ('a', 'b', 'new', 'k', 'r', '{}', now())`,
  );
  while ((await sql.query(`SELECT id FROM dead_letters`)).length > 1) {
    // Again and again: the wait for the next hour may begin after a step of the clock.
    clock.advance(3_600_000);
    // Not so often that what is new becomes old meanwhile.
    await delay(200);
  }
  expect(await sql.query(`SELECT id FROM dead_letters`)).toEqual([{ id: 'new' }]);
  expect(said).toEqual([]);
});

it('PostgreSQL killed twice under load loses nothing that was answered, and doubles nothing', async () => {
  const sql = running.services[0]!.database.sql;
  const counters = Array.from({ length: 8 }, () => v7());
  let answered = 0;
  const killAt = new Set([60, 160]);
  const lanes = counters.map(async (id) => {
    for (let n = 0; n < 30; n++) {
      await increase(id);
      answered += 1;
      if (killAt.delete(answered)) process.kill(server.pid, 'SIGKILL');
    }
  });
  await Promise.all(lanes);
  const [events] = await sql.query<{ count: number }>(`SELECT count(*)::int AS count FROM events`);
  expect(events?.count).toBe(240);
  const seen = async () => (await sql.query<{ count: number }>('SELECT count(*)::int AS count FROM seen'))[0]?.count;
  while ((await seen()) !== 240) await clock.sleep(50);
}, 600_000);
