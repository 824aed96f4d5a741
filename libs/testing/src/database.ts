import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of a test's own on the PostgreSQL server of the run. */
export interface TestDatabase {
  readonly url: string;
  /** Closes all connections to it. The database stays until the server ends with the run: dropping costs more than its disk space. */
  drop(): Promise<void>;
}

/** What databases of many tests contain at the beginning, for example a migrated schema. */
export interface DatabaseTemplate {
  /** Changes whenever the content changes. */
  readonly key: string;
  /** Fills an empty database once for the whole run. Closes its connections before it resolves. */
  readonly prepare: (url: string) => Promise<unknown>;
}

/**
 * Creates a database on the server that the test run started (`TEST_POSTGRES_URL`).
 *
 * @param template content that it starts with; default: empty
 * @throws Error when the test was not started through the project's test command
 */
export async function testDatabase(template?: DatabaseTemplate): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const source = template && (await templateDatabase(template));
  await onServer((client) => create(client, name, source));
  const url = urlOf(name);
  const disconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
  return { url, drop: () => onServer((client) => client.query(disconnect).then(() => undefined)) };
}

/** Names of the template databases that this process knows to be complete, by key. */
const templates = new Map<string, Promise<string>>();

function templateDatabase(template: DatabaseTemplate): Promise<string> {
  const existing = templates.get(template.key);
  if (existing !== undefined) return existing;
  const created = createTemplate(template);
  templates.set(template.key, created);
  created.catch(() => templates.delete(template.key));
  return created;
}

/** The first process of the run that needs the template creates it, the others wait. */
async function createTemplate({ key, prepare }: DatabaseTemplate): Promise<string> {
  const name = `template_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  await onServer(async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 1) return;
    const draft = `draft_${randomBytes(8).toString('hex')}`;
    await create(client, draft);
    await prepare(urlOf(draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  });
  return name;
}

/** Copies files: with fsync off this takes a third of the processor time of copying through the write-ahead log. */
const create = (client: pg.Client, name: string, source = 'template1'): Promise<unknown> =>
  client.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}

function serverUrl(): string {
  const server = process.env['TEST_POSTGRES_URL'];
  if (server === undefined)
    throw new Error("TEST_POSTGRES_URL is not set: run the tests through the project's test command.");
  return server;
}

async function onServer<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
