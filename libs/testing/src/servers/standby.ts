import { chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, type PostgresServer } from '@messaging-gateway/postgres';
import pg from 'pg';
import { severable } from './severable.ts';

/** PostgreSQL with a standby that follows it by streaming, behind one address that leads to the primary. */
export interface PostgresPair {
  /** Connection string of an empty database, which stays the same. */
  readonly url: string;
  /** Waits until the standby has all there is, and lets it get nothing more. */
  cutOff(): Promise<void>;
  /** Kills the primary and promotes the standby with what it has. */
  failOver(): Promise<void>;
  /** Ends the primary in order, so that the standby has everything, and promotes it. */
  switchOver(): Promise<void>;
  drop(): Promise<void>;
}

const password = 'test';
const settings = { fsync: 'off', shared_buffers: '32MB', max_connections: '300' };

export interface PairOptions {
  /** What the primary acknowledges the standby has. Default: it follows as fast as it can. */
  readonly synchronous?: boolean;
}

/** Takes two to three seconds. */
export async function postgresPair({ synchronous = false }: PairOptions = {}): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-pair-'));
  const primary = await startPostgres({ directory: join(folder, 'primary'), password, settings });
  await copyOf(primary, folder);
  const standby = await startPostgres({ directory: join(folder, 'standby'), password, settings });
  if (synchronous) await waitForStandby(primary);
  const way = await severable(primary.port);
  const promote = async (): Promise<void> => {
    await ask(standby, 'SELECT pg_promote(true, 60)');
    way.lead(standby.port);
  };
  const killed = new Set<PostgresServer>();
  const kill = async (server: PostgresServer): Promise<void> => {
    if (killed.has(server)) return;
    killed.add(server);
    await server.release();
    process.kill(server.pid, 'SIGKILL');
  };
  return {
    url: primary.url.replace(`:${primary.port}/`, `:${way.port}/`),
    cutOff: async () => {
      const [{ lsn } = { lsn: '' }] = await ask<{ lsn: string }>(primary, 'SELECT pg_current_wal_lsn() AS lsn');
      await until(standby, `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS done`);
      await ask(standby, "alter system set primary_conninfo = ''");
      await ask(standby, 'SELECT pg_reload_conf()');
      await until(standby, 'SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver) AS done');
    },
    failOver: async () => {
      await kill(primary);
      await promote();
    },
    switchOver: async () => {
      killed.add(primary);
      await primary.stop();
      await promote();
    },
    drop: async () => {
      await way.close();
      await Promise.all([kill(primary), kill(standby)]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

async function waitForStandby(primary: PostgresServer): Promise<void> {
  await ask(primary, "alter system set synchronous_standby_names = '*'");
  await ask(primary, 'select pg_reload_conf()');
  await until(primary, "select exists (select from pg_stat_replication where sync_state = 'sync') as done");
}

/** The primary's files as a base backup, and where the standby gets the rest from. */
async function copyOf(primary: PostgresServer, folder: string): Promise<void> {
  const from = join(folder, 'primary', 'cluster');
  const to = join(folder, 'standby', 'cluster');
  mkdirSync(join(folder, 'standby'), { mode: 0o700 });
  const client = await connected(primary);
  await client.query("select pg_backup_start('standby', true)");
  const filter = (path: string): boolean => !/postmaster\.pid|\.s\.PGSQL/.test(path);
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter });
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  writeFileSync(join(to, 'standby.signal'), '');
  const source = `host=127.0.0.1 port=${primary.port} user=gateway password=${password}`;
  writeFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  // The copy belongs to the server's user, who may be another one.
  const { uid, gid } = statSync(from);
  const own = readdirSync(join(folder, 'standby'), { recursive: true, encoding: 'utf8' });
  for (const path of ['', ...own]) chownSync(join(folder, 'standby', path), uid, gid);
}

async function connected({ url }: PostgresServer): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function ask<Row extends object>(server: PostgresServer, text: string): Promise<Row[]> {
  const client = await connected(server);
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function until(server: PostgresServer, text: string): Promise<void> {
  for (;;) {
    const [row] = await ask<{ done: boolean }>(server, text);
    if (row?.done === true) return;
    await sleep(20);
  }
}
