import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** An empty database of a test's own on the server of the run. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it, ending what is still connected. */
  drop(): Promise<void>;
}

/**
 * Makes an empty database on the PostgreSQL server that the test run started (`TEST_POSTGRES_URL`).
 *
 * @throws Error when the test was not started through the project's test command
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = process.env['TEST_POSTGRES_URL'];
  if (server === undefined)
    throw new Error("TEST_POSTGRES_URL is not set: run the tests through the project's test command.");
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (force)`) };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
