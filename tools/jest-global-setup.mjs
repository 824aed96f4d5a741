import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@messaging-gateway/postgres';

/** One real PostgreSQL for the whole run; each test file makes databases of its own on it. */
export default async function setup() {
  if (process.env.TEST_POSTGRES_URL !== undefined) return;
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-test-'));
  const server = await startPostgres({
    directory,
    password: 'test',
    settings: { fsync: 'off', max_connections: '300' },
  });
  process.env.TEST_POSTGRES_URL = server.url;
  globalThis.testPostgres = { server, directory };
}
