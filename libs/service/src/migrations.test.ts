import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, Unavailable } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { openDatabase } from './database.ts';
import { migrate, type MigrationSet } from './migrations.ts';

const step = (name: string, sql: string) => ({ name, sql });
const set = (...migrations: MigrationSet['migrations']): MigrationSet[] => [{ origin: 'service', migrations }];

describe('migrations', () => {
  let database: TestDatabase;
  let first: Client;
  let second: Client;
  beforeAll(async () => {
    database = await testDatabase();
    [first, second] = [new Client(database.url), new Client(database.url)];
    await Promise.all([first.connect(), second.connect()]);
  });
  afterAll(async () => {
    await Promise.all([first.end(), second.end()]);
    await database.drop();
  });
  const tables = async (schema: string): Promise<string[]> =>
    (
      await first.query<{ name: string }>(
        'select table_name as name from information_schema.tables where table_schema = $1 order by 1',
        [schema],
      )
    ).rows.map(({ name }) => name);

  it('are applied once each, in the schema of the service, also by two processes at the same time', async () => {
    const sets = set(step('0001', 'CREATE TABLE {schema}.one (id int)'), step('0002', 'CREATE TABLE two (id int)'));
    await Promise.all([migrate(first, 'a', sets), migrate(second, 'a', sets)]);
    await migrate(first, 'a', [...sets, { origin: 'bus', migrations: [step('0001', 'CREATE TABLE three (id int)')] }]);
    expect(await tables('a')).toEqual(['migrations', 'one', 'three', 'two']);
    expect(await tables('public')).toEqual([]);
  });

  it('leave nothing when a step fails, and name it', async () => {
    const failing = set(
      step('0001', 'CREATE TABLE one (id int)'),
      step('0002', 'CREATE TABLE two (id int); SELECT wrong'),
    );
    await expect(migrate(first, 'b', failing)).rejects.toThrow('The migration service/0002 of b failed');
    expect(await tables('b')).toEqual([]);
    await migrate(first, 'b', set(...(failing[0]?.migrations.slice(0, 1) ?? [])));
    await expect(migrate(first, 'b', failing)).rejects.toThrow('The migration service/0002 of b failed');
    expect(await tables('b')).toEqual(['migrations', 'one']);
  });

  it('may not be changed once they were applied', async () => {
    await migrate(first, 'c', set(step('0001', 'CREATE TABLE one (id int)')));
    await expect(migrate(first, 'c', set(step('0001', 'CREATE TABLE one (id bigint)')))).rejects.toThrow(
      'service/0001 of c was changed',
    );
  });
});

describe('a database', () => {
  it('that is not there is unavailable', async () => {
    const opening = openDatabase({
      url: 'postgresql://nobody@127.0.0.1:9/none',
      schema: 'a',
      migrations: [],
      log: silentLogger,
    });
    await expect(opening).rejects.toBeInstanceOf(Unavailable);
  });

  it('runs a transaction all or nothing, in the schema of the service', async () => {
    const database = await testDatabase();
    const migrations = [step('0001', 'CREATE TABLE one (id int primary key)')];
    const { sql, close } = await openDatabase({
      url: database.url,
      schema: 'a',
      migrations,
      log: silentLogger,
    });
    const insert = (id: number) =>
      sql.transaction(async (inside) => {
        await inside.query('insert into one values ($1)', [id]);
        await inside.query('insert into one values ($1)', [1]);
      });
    await sql.query('insert into one values (1)');
    await expect(insert(2)).rejects.toMatchObject({ code: '23505' });
    expect(await sql.query('select id from one')).toEqual([{ id: 1 }]);
    const [limits] = await sql.query<{ idle: string }>(
      `select current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(limits?.idle).toBe('15s');
    await close();
    await database.drop();
  });

  it('that ends a connection in the middle of a transaction ends no process', async () => {
    const database = await testDatabase();
    const opened = await openDatabase({
      url: database.url,
      schema: 'a',
      migrations: [],
      log: silentLogger,
    });
    const { sql } = opened;
    const broken = sql.transaction(async (inside) => {
      const [mine] = await inside.query<{ pid: number }>('select pg_backend_pid() as pid');
      await sql.query('select pg_terminate_backend($1)', [mine?.pid]);
      // Until the server has ended it.
      for (;;) await inside.query('select pg_sleep(0.01)');
    });
    await expect(broken).rejects.toBeInstanceOf(Unavailable);
    expect(await sql.query('select 1 as one')).toEqual([{ one: 1 }]);
    await opened.close();
    await database.drop();
  });
});
