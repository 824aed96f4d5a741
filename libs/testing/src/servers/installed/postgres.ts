import { chownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startPostgres } from '@messaging-gateway/postgres';
import pg from 'pg';
import { tlsFiles } from '../secured/tls-files.ts';
import type { Secured, Server } from '../server.ts';

/** PostgreSQL from the project's dependencies. */
export async function launchPostgres(folder: string, secured?: Secured): Promise<Server> {
  const password = secured?.password ?? 'test';
  const port = await freePort();
  const settings = { fsync: 'off', max_connections: '300', shared_buffers: '128MB' };
  const launch = () => startPostgres({ directory: folder, password, port, settings });
  let running: Awaited<ReturnType<typeof launch>> | undefined = await launch();
  const { url } = running;
  await hashPasswordOnce(url, password);
  if (secured !== undefined) await takeTls(url, folder, secured);
  const start = async (): Promise<void> => {
    // The backends of a killed server take a moment to end; until then a new one is refused.
    for (let tries = 0; running === undefined; tries += 1) {
      running = await launch().catch(async (error: unknown) => {
        if (tries > 50) throw error;
        await sleep(200);
        return undefined;
      });
    }
  };
  const kill = async (): Promise<void> => {
    const killed = running;
    running = undefined;
    await killed?.release();
    if (killed !== undefined) process.kill(killed.pid, 'SIGKILL');
  };
  const stop = async (): Promise<void> => {
    const stopped = running;
    running = undefined;
    await stopped?.stop();
  };
  return {
    address: { url, ...(secured && { secureUrl: `${url}?sslmode=verify-full` }) },
    start,
    kill,
    stop,
    drop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The thousands of rounds by which a password is hashed cost each connection a third of its time, and protect nothing here. */
async function hashPasswordOnce(url: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set scram_iterations = 1');
  await client.query(`alter user current_user password '${password}'`);
  await client.end();
}

/** A user whom secured servers let in with TLS only. */
const onlyWithTls = 'sealed';

async function takeTls(url: string, folder: string, secured: Secured): Promise<void> {
  const { key, certificate } = tlsFiles(folder, secured);
  // The server's user, who may be another one, owns its folder.
  const { uid, gid } = statSync(folder);
  for (const file of [key, certificate]) chownSync(file, uid, gid);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`alter system set ssl_key_file = '${key}'`);
  await client.query(`alter system set ssl_cert_file = '${certificate}'`);
  await client.query('alter system set ssl = on');
  const rules = join(folder, 'cluster', 'pg_hba.conf');
  writeFileSync(rules, `hostnossl all ${onlyWithTls} all reject\n${readFileSync(rules, 'utf8')}`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}
