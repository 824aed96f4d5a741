import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startPostgres } from './server.ts';
import type { PostgresServer } from './server.ts';

describe('the embedded server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ directory, password: 'first' });
    await query('create table kept (id int); insert into kept values (1)');
  });

  afterAll(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const query = async (text: string, url = server.url): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  };

  it('lets nobody in without the password', async () => {
    const url = new URL(server.url);
    url.password = 'other';
    await expect(query('select 1', url.href)).rejects.toThrow(/password/);
  });

  it('answers over its Unix socket too', async () => {
    expect(new URL(server.localUrl).searchParams.get('host')).toBe(join(directory, 'cluster'));
    const [row] = (await query('select inet_client_addr() as address', server.localUrl)).rows;
    expect(row).toEqual({ address: null });
  });

  it('is adopted by a second start on the same folder', async () => {
    const second = await startPostgres({ directory, password: 'first' });
    await second.release();
    expect([second.adopted, second.port, second.pid]).toEqual([true, server.port, server.pid]);
  });

  it('comes back on the same port with its rows when it is killed', async () => {
    const killed = server.pid;
    process.kill(killed, 'SIGKILL');
    const rows = await eventually(() => query('select id from kept'));
    expect(rows.rowCount).toBe(1);
    await eventually(async () => expect(server.pid).not.toBe(killed));
  });
});

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + 170_000; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
