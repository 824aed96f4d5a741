import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { openDatabase, type ServiceDatabase } from './database.ts';

describe('statements that were prepared before the table was changed', () => {
  const connections = 4;
  const migrations = [{ name: '0001', sql: 'CREATE TABLE one (id int, at int); INSERT INTO one VALUES (1, 7)' }];
  let database: TestDatabase;
  let opened: ServiceDatabase;
  let other: Client;
  beforeAll(async () => {
    database = await testDatabase();
    opened = await openDatabase({ url: database.url, schema: 'a', migrations, connections, log: silentLogger });
    other = new Client(database.url);
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await opened.close();
    await database.drop();
  });
  /** On every connection of the pool at the same time. */
  const everywhere = (text: string): Promise<object[][]> =>
    Promise.all(
      Array.from({ length: connections }, () => opened.sql.query(`${text} FROM one, pg_sleep(0.05) s(slept)`)),
    );
  const times = <T>(one: T): T[] => Array.from({ length: connections }, () => one);

  it('answer with what is there now, on each connection', async () => {
    expect(await everywhere('SELECT one.*')).toEqual(times([{ id: 1, at: 7 }]));
    await other.query('ALTER TABLE a.one ADD COLUMN name text');
    expect(await everywhere('SELECT one.*')).toEqual(times([{ id: 1, at: 7, name: null }]));
    await other.query('ALTER TABLE a.one ALTER COLUMN at TYPE text USING at::text');
    expect(await everywhere('SELECT one.*')).toEqual(times([{ id: 1, at: '7', name: null }]));
  });

  it('fail in a transaction, which is lost with them, and only once, however many texts others have prepared', async () => {
    for (let number = 0; number < 500; number += 1) await opened.sql.query(`SELECT ${number} AS other`);
    const read = 'SELECT id, at FROM one';
    // One connection: which of several is next would be the pool's choice.
    const single = await openDatabase({
      url: database.url,
      schema: 'a',
      migrations,
      connections: 1,
      log: silentLogger,
    });
    const inside = () => single.sql.transaction((sql) => sql.query(read));
    await inside();
    await other.query('ALTER TABLE a.one ALTER COLUMN at TYPE int USING at::int');
    await expect(inside()).rejects.toMatchObject({ code: '0A000' });
    expect(await inside()).toEqual([{ id: 1, at: 7 }]);
    await single.close();
  });
});
