import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { openDatabase, type ServiceDatabase } from './database.ts';
import { rotate, type RotatedTable } from './rotation.ts';

const dayMs = 86_400_000;
let database: TestDatabase;
let opened: ServiceDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const table = (name: string, type: string): string =>
    `CREATE TABLE ${name} (at ${type} NOT NULL) PARTITION BY RANGE (at); CREATE TABLE ${name}_rest PARTITION OF ${name} DEFAULT;`;
  const sql = table('by_month', 'timestamptz') + table('by_day', 'bigint');
  opened = await openDatabase({ url: database.url, schema: 'a', migrations: [{ name: '1', sql }], log: silentLogger });
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

const at = (rotated: RotatedTable, time: string): Promise<void> =>
  rotate({ ...opened, log: silentLogger, signal: new AbortController().signal }, rotated, Date.parse(time));
const madeOf = async (table: string): Promise<string[]> => {
  const rows = await opened.sql.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = to_regclass($1) ORDER BY 1',
    [table],
  );
  return rows.map(({ name }) => name);
};

describe('a rotated table', () => {
  it('has a partition for this month and those ahead, over the end of a year', async () => {
    const months: RotatedTable = { table: 'by_month', column: 'at', rest: 'by_month_rest', by: 'month', ahead: 2 };
    await Promise.all([at(months, '2025-11-30T23:59:59.999Z'), at(months, '2025-11-30T23:59:59.999Z')]);
    expect(await madeOf('by_month')).toEqual([
      'by_month_2025_11',
      'by_month_2025_12',
      'by_month_2026_01',
      'by_month_rest',
    ]);
    await opened.sql.query(`INSERT INTO by_month VALUES ('2026-01-31 23:59:59.999Z'), ('2026-02-01Z')`);
    expect(await opened.sql.query('SELECT at FROM by_month_2026_01')).toEqual([
      { at: new Date('2026-01-31T23:59:59.999Z') },
    ]);
    expect(await opened.sql.query('SELECT at FROM by_month_rest')).toEqual([{ at: new Date('2026-02-01') }]);
  });

  it('by day loses a day when it has been over for as long as it is kept, and not before somebody was asked', async () => {
    const asked: string[] = [];
    const beforeDrop = async (name: string): Promise<void> => void asked.push(name);
    const days: RotatedTable = {
      table: 'by_day',
      column: 'at',
      rest: 'by_day_rest',
      by: 'day',
      ahead: 1,
      keptMs: dayMs,
      beforeDrop,
      boundAt: String,
    };
    await at(days, '2026-02-28T12:00:00Z');
    expect(await madeOf('by_day')).toEqual(['by_day_20260228', 'by_day_20260301', 'by_day_rest']);
    await opened.sql.query('INSERT INTO by_day VALUES ($1)', [Date.parse('2026-02-28T12:00:00Z')]);
    await at(days, '2026-03-01T23:59:59.999Z');
    expect(asked).toEqual([]);
    await at(days, '2026-03-02T00:00:00Z');
    expect(asked).toEqual(['by_day_20260228']);
    expect(await madeOf('by_day')).toEqual(['by_day_20260301', 'by_day_20260302', 'by_day_20260303', 'by_day_rest']);
    expect(await opened.sql.query('SELECT at FROM by_day')).toEqual([]);
  });
});
