import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { counting } from './counting.fixture.ts';
import type { ServiceModule } from './module.ts';
import type { PreparedService } from './lifecycle.ts';
import { prepareService } from './run-service.ts';
import { openTestHost, type TestHost } from './testing/test-host.ts';

/** A journal and nothing else. */
const module: ServiceModule<object> = {
  ...counting,
  connect: (tools) => ({ ...counting.connect(tools), rows: [] }),
};
let test: TestHost;
let replicas: readonly PreparedService[];
let other: Client;

beforeAll(async () => {
  test = await openTestHost(module, {});
  const host = { ...test.host, retentionDays: 30 };
  replicas = [await prepareService(module, {}, host), await prepareService(module, {}, host)];
  other = new Client({ connectionString: test.host.databaseUrl });
  await other.connect();
  await letters(`INSERT INTO insights.dead_letters (consumer, name, id, key, reason, envelope, failed_at)
    VALUES ('a', 'b', 'old', 'k', 'r', '{}', now() - interval '40 days'), ('a', 'b', 'new', 'k', 'r', '{}', now())`);
});

afterAll(async () => {
  for (const one of replicas) {
    await one.stopIntake();
    await one.close();
  }
  await other.end();
  await test.close();
});

const letters = async (text = 'SELECT id FROM insights.dead_letters'): Promise<object[]> =>
  (await other.query<object>(text)).rows;

/** Whether a replica asks for its turn and does not get it. */
const asked = async (): Promise<number> => {
  const { rows } = await other.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%pg_try_advisory_lock%' AND pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
};

it('replicas keep up one at a time, and one that had no turn asks again soon', async () => {
  await other.query(`SELECT pg_advisory_lock(7260816, hashtext('insights'))`);
  await Promise.all(replicas.map((one) => one.start()));
  while ((await asked()) < 2) await test.clock.sleep(20);
  expect(await letters()).toHaveLength(2);
  await other.query(`SELECT pg_advisory_unlock(7260816, hashtext('insights'))`);
  while ((await letters()).length > 1) {
    // Again and again: the wait for the next turn may begin after a step of the clock.
    test.clock.advance(60_000);
    await delay(100);
  }
  expect(await letters()).toEqual([{ id: 'new' }]);
});
