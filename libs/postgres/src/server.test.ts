import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startPostgres } from './server.ts';
import type { PostgresServer } from './server.ts';
import { serverUser } from './server-user.ts';

describe('the embedded server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ directory, password: 'first' });
    await query('CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
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
    await expect(query('SELECT 1', url.href)).rejects.toThrow(/password/);
  });

  it('answers over its Unix socket too', async () => {
    expect(new URL(server.localUrl).searchParams.get('host')).toBe(join(directory, 'cluster'));
    const [row] = (await query('SELECT inet_client_addr() AS address', server.localUrl)).rows;
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
    const rows = await eventually(() => query('SELECT id FROM kept'));
    expect(rows.rowCount).toBe(1);
    await eventually(async () => expect(server.pid).not.toBe(killed));
  });

  it('lets nobody start with another password, and goes on', async () => {
    await expect(startPostgres({ directory, password: 'second' })).rejects.toThrow(/another password/);
    expect((await query('SELECT id FROM kept')).rowCount).toBe(1);
  });

  describe('that has ended', () => {
    const lockFile = join(directory, 'cluster', 'postmaster.pid');
    beforeAll(() => server.stop());

    it('is not left running by a start with another password', async () => {
      await expect(startPostgres({ directory, password: 'second' })).rejects.toThrow(/another password/);
      expect(existsSync(lockFile)).toBe(false);
    });

    it('says why it does not start', async () => {
      const settings = { work_mem: 'much' };
      await expect(startPostgres({ directory, password: 'first', settings })).rejects.toThrow(
        /work_mem.*postgres\.log/,
      );
    });

    it('is waited for until somebody has collected it after it was killed', async () => {
      // A parent that stands still when its child ends, and collects it when it is let go on.
      const parent = spawn('sh', ['-c', 'cat <&3 >&2 & echo $!; kill -STOP $$; wait'], {
        stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
        ...serverUser(),
      });
      const [line] = (await once(parent.stdout as Readable, 'data')) as [Buffer];
      const pid = Number(line.toString());
      const isIn = (process: number | undefined, state: string) =>
        eventually(async () => expect(readFileSync(`/proc/${process}/stat`, 'utf8')).toContain(`) ${state} `));
      await isIn(parent.pid, 'T');
      (parent.stdio[3] as Writable).end();
      await isIn(pid, 'Z');
      writeFileSync(lockFile, [pid, join(directory, 'cluster'), 1, server.port, '', '', ''].join('\n'));
      const said: string[] = [];
      const starting = startPostgres({ directory, password: 'first', say: (what) => said.push(what) });
      starting.catch(() => undefined);
      await eventually(async () =>
        expect(said.join()).toMatch(new RegExp(`killed \\(process ${pid}\\) to be collected`)),
      );
      parent.kill('SIGCONT');
      server = await starting;
      expect((await query('SELECT id FROM kept')).rowCount).toBe(1);
    });
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
