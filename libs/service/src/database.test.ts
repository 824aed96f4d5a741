import { describe, expect, it } from '@jest/globals';
import { silentLogger, Unavailable } from '@messaging-gateway/runtime';
import { testDatabase } from '@messaging-gateway/testing';
import { openDatabase } from './database.ts';

const step = (name: string, sql: string) => ({ name, sql });

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
        await inside.query('INSERT INTO one VALUES ($1)', [id]);
        await inside.query('INSERT INTO one VALUES ($1)', [1]);
      });
    await sql.query('INSERT INTO one VALUES (1)');
    await expect(insert(2)).rejects.toMatchObject({ code: '23505' });
    expect(await sql.query('SELECT id FROM one')).toEqual([{ id: 1 }]);
    const [limits] = await sql.query<{ idle: string }>(
      `SELECT current_setting('idle_in_transaction_session_timeout') AS idle`,
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
      const [mine] = await inside.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await sql.query('SELECT pg_terminate_backend($1)', [mine?.pid]);
      // Until the server has ended it.
      for (;;) await inside.query('SELECT pg_sleep(0.01)');
    });
    await expect(broken).rejects.toBeInstanceOf(Unavailable);
    expect(await sql.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await opened.close();
    await database.drop();
  });
});
