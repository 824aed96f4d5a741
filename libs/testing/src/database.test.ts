import { expect, it } from '@jest/globals';
import pg from 'pg';
import { testDatabase } from './database.ts';

it('gives each caller a database of its own', async () => {
  const [one, other] = [await testDatabase(), await testDatabase()];
  const client = new pg.Client({ connectionString: one.url });
  await client.connect();
  await client.query('CREATE TABLE kept (id int)');
  await client.end();
  const second = new pg.Client({ connectionString: other.url });
  await second.connect();
  const found = await second.query("select 1 from pg_tables where tablename = 'kept'");
  await second.end();
  expect(found.rowCount).toBe(0);
  await one.drop();
  await other.drop();
});
