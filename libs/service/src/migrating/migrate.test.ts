import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, type Logger } from '@messaging-gateway/runtime';
import { eventually, testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { lockData } from '../process/data-lock.ts';
import type { SqlMigration } from '../module.ts';
import { migrate, type Migrated, type MigrateOptions } from './migrate.ts';
import { schemaVersion } from './schema-version.ts';

const step = (name: string, sql: string, contract?: number): SqlMigration => ({
  name,
  sql,
  ...(contract !== undefined && { contract }),
});
const set = (...migrations: readonly SqlMigration[]) => [{ origin: 'service', migrations }];
const table = step(
  '0001',
  'CREATE TABLE {schema}.one (id int); INSERT INTO {schema}.one SELECT generate_series(1, 500)',
);
const column = step('0002', 'ALTER TABLE {schema}.one ADD COLUMN name text');
const index = step('0003', 'CREATE INDEX CONCURRENTLY one_name ON {schema}.one (name) WHERE id > 0');
const dropped = step('0004', 'ALTER TABLE {schema}.one DROP COLUMN name', schemaVersion);

let database: TestDatabase;
let client: Client;
/** Connection of somebody who uses the tables. */
let other: Client;
beforeAll(async () => {
  database = await testDatabase();
  [client, other] = [new Client(database.url), new Client(database.url)];
  for (const one of [client, other]) one.on('error', () => undefined);
  await Promise.all([client.connect(), other.connect()]);
});
afterEach(() => other.query('rollback'));
afterAll(async () => {
  await Promise.all([client.end(), other.end()]);
  await database.drop();
});

type Given = Partial<Pick<MigrateOptions, 'log' | 'signal' | 'phase'>>;
const run = (schema: string, steps: readonly SqlMigration[], given: Given = {}): Promise<Migrated> =>
  migrate({ url: database.url, schema, sets: set(...steps), log: silentLogger, pauseMs: 50, ...given });
const rows = async (text: string, ...values: unknown[]): Promise<unknown[]> =>
  (await client.query<{ value: unknown }>(text, values)).rows.map(({ value }) => value);
const tables = (schema: string) =>
  rows('SELECT table_name AS value FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1', schema);
const columns = (schema: string) =>
  rows(
    `SELECT column_name AS value FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'one' ORDER BY ordinal_position`,
    schema,
  );
const indexes = (schema: string) =>
  rows(
    `SELECT c.relname || CASE WHEN indisvalid THEN '' ELSE ' (broken)' END AS value
       FROM pg_index i JOIN pg_class c ON c.oid = indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname LIKE '%one%' ORDER BY 1`,
    schema,
  );

/** Keeps the warnings. */
function listening(): { readonly log: Logger; readonly said: unknown[] } {
  const said: unknown[] = [];
  return { said, log: { ...silentLogger, warn: (_message: string, fields?: unknown) => void said.push(fields) } };
}

describe('migrations', () => {
  it('are applied once each, in the schema of the service, also by two processes at the same time', async () => {
    const sets = set(step('0001', 'CREATE TABLE {schema}.one (id int)'), step('0002', 'CREATE TABLE two (id int)'));
    const both = { url: database.url, schema: 'a', sets, log: silentLogger };
    await Promise.all([migrate(both), migrate(both)]);
    const later = [...sets, { origin: 'bus', migrations: [step('0001', 'CREATE TABLE three (id int)')] }];
    await Promise.all([migrate({ ...both, sets: later }), migrate({ ...both, sets: later })]);
    expect(await tables('a')).toEqual(['migrations', 'one', 'three', 'two']);
    expect(await tables('public')).toEqual([]);
  });

  it('leave nothing when the first ones fail, later only those before, and name the step', async () => {
    const failing = [table, step('0009', 'CREATE TABLE two (id int); SELECT wrong')];
    await expect(run('b', failing)).rejects.toThrow('The migration service/0009 of b failed');
    expect(await tables('b')).toEqual([]);
    await run('b', failing.slice(0, 1));
    await expect(run('b', [table, column, failing[1] ?? table])).rejects.toThrow('service/0009 of b failed');
    expect([await tables('b'), await columns('b')]).toEqual([
      ['migrations', 'one'],
      ['id', 'name'],
    ]);
  });

  it('may not be changed once they were applied', async () => {
    await run('c', [table]);
    await expect(run('c', [{ ...table, sql: 'CREATE TABLE one (id bigint)' }])).rejects.toThrow(
      'service/0001 of c was changed',
    );
  });

  it('wait for those who use a table, say for whom, and let others by meanwhile', async () => {
    await run('d', [table]);
    await other.query('begin');
    await other.query(`set application_name = 'a long report'`);
    await other.query('SELECT count(*) FROM d.one');
    const { log, said } = listening();
    const migrated = run('d', [table, column], { log });
    await eventually(async () => (said.length > 0 ? true : undefined));
    expect(said).toEqual([
      { step: 'service/0002', heldBy: [expect.stringMatching(/^a long report \(pid \d+, for \d+ s\)$/)] },
    ]);
    await client.query('SELECT count(*) FROM d.one');
    expect(await columns('d')).toEqual(['id']);
    await other.query('rollback');
    expect((await migrated).applied).toEqual(['service/0002']);
    expect(await columns('d')).toEqual(['id', 'name']);
  });

  it('end when the process stops, and go on at the next start', async () => {
    await run('e', [table]);
    const slow = step('0002', 'ALTER TABLE {schema}.one ADD COLUMN name text; SELECT pg_sleep(60)');
    const stopping = new AbortController();
    const migrating = run('e', [table, slow], { signal: stopping.signal });
    const asleep = () => rows(`SELECT pid AS value FROM pg_stat_activity WHERE wait_event = 'PgSleep'`);
    await eventually(async () => ((await asleep()).length > 0 ? true : undefined));
    stopping.abort(new Error('The process is stopping.'));
    await expect(migrating).rejects.toThrow('The process is stopping.');
    await eventually(async () => ((await asleep()).length === 0 ? true : undefined));
    expect((await run('e', [table, column])).applied).toEqual(['service/0002']);
  });

  it('of a newer version are left alone, as long as they only add', async () => {
    await run('f', [table, column]);
    expect(await run('f', [table])).toMatchObject({ applied: [], pending: [] });
  });
});

describe('an index on a table with rows', () => {
  const making = async (): Promise<number> => {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'active' AND query ILIKE '%create index%' AND pid <> pg_backend_pid()`,
    );
    return rows[0]?.count ?? 0;
  };

  it('is made beside those who write', async () => {
    await run('g', [table, column]);
    await other.query('begin');
    await other.query('INSERT INTO g.one VALUES (0)');
    const migrated = run('g', [table, column, index]);
    await eventually(async () => ((await indexes('g')).length > 0 ? true : undefined));
    await client.query('INSERT INTO g.one VALUES (1)');
    await other.query('commit');
    expect((await migrated).applied).toEqual(['service/0003']);
    expect(await indexes('g')).toEqual(['one_name']);
  });

  it('is made anew when the process was killed while it was made', async () => {
    await run('h', [table, column]);
    await other.query('begin');
    await other.query('INSERT INTO h.one VALUES (0)');
    const stopping = new AbortController();
    const migrating = run('h', [table, column, index], { signal: stopping.signal });
    await eventually(async () => ((await indexes('h')).length > 0 ? true : undefined));
    stopping.abort(new Error('Killed.'));
    await expect(migrating).rejects.toThrow('Killed.');
    // The server ends what nobody waits for any more, and until then would go on with it.
    await eventually(async () => ((await making()) === 0 ? true : undefined));
    await other.query('rollback');
    expect(await indexes('h')).toEqual(['one_name (broken)']);
    expect((await run('h', [table, column, index])).applied).toEqual(['service/0003']);
    expect(await indexes('h')).toEqual(['one_name']);
  });

  it('is made for each partition', async () => {
    const parts = step(
      '0001',
      `CREATE TABLE {schema}.one (id int, name text) PARTITION BY RANGE (id);
       CREATE TABLE {schema}.one_rest PARTITION OF {schema}.one DEFAULT;
       CREATE TABLE {schema}.one_low PARTITION OF {schema}.one FOR VALUES FROM (0) TO (10);
       INSERT INTO {schema}.one SELECT generate_series(1, 50)`,
    );
    await run('i', [parts]);
    await run('i', [parts, index]);
    expect(await indexes('i')).toEqual(['one_low_one_name', 'one_name', 'one_rest_one_name']);
  });

  it('is made at once with a new schema', async () => {
    await run('j', [table, column, index]);
    expect(await indexes('j')).toEqual(['one_name']);
  });

  it('is a step of its own', async () => {
    await run('k', [table]);
    await expect(run('k', [table, { ...index, sql: `SELECT 1; ${index.sql}` }])).rejects.toThrow('a step of its own');
  });
});

describe('a step that takes away', () => {
  it('waits until it is asked for, and until nobody of an earlier version runs', async () => {
    await run('l', [table, column]);
    expect(await run('l', [table, column, dropped])).toMatchObject({ applied: [], pending: ['contract/service/0004'] });
    await other.query(`set application_name = 'data lock'`);
    await other.query('SELECT pg_advisory_lock_shared(7340021)');
    const contract = () => run('l', [table, column, dropped], { phase: 'contract' });
    await expect(contract()).rejects.toThrow('1 processes of an earlier version still run');
    await other.query('SELECT pg_advisory_unlock_shared(7340021)');
    const unlock = await lockData({ url: database.url, serving: 'together', inUse: 'In use.' });
    expect((await contract()).applied).toEqual(['contract/service/0004']);
    await unlock();
    expect(await columns('l')).toEqual(['id']);
  });

  it('keeps earlier versions from starting', async () => {
    await expect(run('l', [table, column])).rejects.toThrow(
      'A newer version has taken away what this one needs of the schema l (contract/service/0004)',
    );
    expect(await run('l', [table, column, dropped])).toMatchObject({ applied: [], pending: [] });
  });

  it('is done with a new schema, which nobody uses', async () => {
    expect((await run('m', [table, column, dropped])).applied).toHaveLength(3);
    expect(await columns('m')).toEqual(['id']);
  });
});
