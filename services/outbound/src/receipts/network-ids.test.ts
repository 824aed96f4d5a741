import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, testClock, type Clock } from '@messaging-gateway/runtime';
import { openDatabase, type Running, type ServiceDatabase } from '@messaging-gateway/service';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { outbound } from '../index.ts';
import { networkIdMonths, networkIds } from './feature.ts';

const day = 24 * 3_600_000;
const window = 90 * day;
let database: TestDatabase;
let opened: ServiceDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const {
    storage: { schema },
    migrations,
  } = outbound;
  opened = await openDatabase({ url: database.url, schema, migrations, log: silentLogger });
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

const upkeep = (clock: Clock): Running => {
  const tools = { ...opened, clock, log: silentLogger };
  return networkIdMonths(tools, window).running({ ...tools, service: 'outbound', metrics: new Registry() });
};

const monthsOf = async (): Promise<string[]> => {
  const rows = await opened.sql.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'network_ids'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

describe('network ids', () => {
  it('are tended by one of several replicas at a time', async () => {
    const clock = testClock(Date.parse('2025-11-15T00:00:00.000Z'));
    const replicas = Array.from({ length: 4 }, () => upkeep(clock));
    await Promise.all(replicas.map((one) => one.start()));
    expect(await monthsOf()).toEqual(['network_ids_2025_11', 'network_ids_2025_12', 'network_ids_other']);
    await Promise.all(replicas.map((one) => one.stop()));
    await opened.sql.query('DROP TABLE network_ids_2025_11, network_ids_2025_12');
  });

  it('stand in months, and go with them once their receipts are no longer taken in', async () => {
    const clock = testClock(Date.parse('2026-01-15T00:00:00.000Z'));
    const ids = networkIds(opened);
    const months = upkeep(clock);
    await months.start();
    expect(await monthsOf()).toEqual(['network_ids_2026_01', 'network_ids_2026_02', 'network_ids_other']);
    const [profileId, messageId] = [v7(), v7()];
    await opened.sql.query(`INSERT INTO network_ids VALUES ($1, '3EB0A', $2, '2026-01-15')`, [profileId, messageId]);
    expect(await ids.find(profileId, '3EB0A')).toBe(messageId);
    expect(await ids.find(v7(), '3EB0A')).toBeUndefined();
    await months.stop();

    clock.advance(120 * day);
    const later = upkeep(clock);
    await later.start();
    expect(await monthsOf()).toEqual([
      'network_ids_2026_02',
      'network_ids_2026_05',
      'network_ids_2026_06',
      'network_ids_other',
    ]);
    expect(await ids.find(profileId, '3EB0A')).toBeUndefined();
    await later.stop();
  });

  it('of a clock that jumped stay among the others', async () => {
    await opened.sql.query(`INSERT INTO network_ids VALUES ($1, '3EB0B', $2, '2030-03-03')`, [v7(), v7()]);
    const clock = testClock(Date.parse('2030-02-28T00:00:00.000Z'));
    const months = upkeep(clock);
    await months.start();
    expect(await monthsOf()).toEqual(['network_ids_2030_02', 'network_ids_other']);
    await months.stop();
  });
});
