import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from './binaries.ts';
import type { Binaries } from './binaries.ts';
import { freePort } from './free-port.ts';
import { here, prepareCluster, superuser } from './cluster.ts';
import { serverUser } from './server-user.ts';
import type { ServerUser } from './server-user.ts';
import { memorySettings } from './memory.ts';

const major = '18';

export interface ServerOptions {
  /** Folder of the server's own; made when absent. */
  readonly directory: string;
  /** Password of the superuser, kept by the caller. */
  readonly password: string;
  /** Further settings, for example `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Loopback port; default: one that nobody uses. */
  readonly port?: number;
}

export interface PostgresServer {
  /** Connection string of the database `gateway`, over TCP. */
  readonly url: string;
  /** The same over the server's Unix socket, which takes a third off a small statement; `url` where there is none. */
  readonly localUrl: string;
  readonly port: number;
  readonly pid: number;
  /** It was running already (the process that started it was killed). */
  readonly adopted: boolean;
  /** Leaves it running for its real owner: it is no longer watched. */
  release(): Promise<void>;
  /** Ends it in order: a fast shutdown, within 20 s. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on a loopback port of its own, in a process group of its own (a Ctrl-C does not reach it), or
 * adopts the one that still runs on this folder. When it is killed it is started again on the same port, and
 * recovers by itself.
 *
 * @throws Error with one sentence when it cannot
 */
export async function startPostgres(options: ServerOptions): Promise<PostgresServer> {
  const user = serverUser();
  const binaries = findBinaries(user !== undefined);
  const cluster = await prepareCluster(options.directory, options.password, binaries, user, major);
  const left = runningServer(cluster);
  const adopted = left !== undefined && (await answers(left.port, options.password, 2000));
  const port = adopted ? left.port : (options.port ?? (await freePort()));
  const launch = (): Promise<number> => start({ binaries, user, cluster, port, options });
  let pid = adopted ? left.pid : await launch();
  await ensureDatabase(port, options.password);
  const stopWatching = watch(
    () => pid,
    async () => (pid = await launch()),
  );
  const stop = async (): Promise<void> => {
    await stopWatching();
    signal(pid, 'SIGINT');
    for (let waited = 0; waited < 20_000 && alive(pid); waited += 20) await sleep(20);
    if (alive(pid)) signal(pid, 'SIGQUIT');
  };
  return {
    url: databaseUrl(port, options.password, 'gateway'),
    localUrl: overSocket(databaseUrl(port, options.password, 'gateway'), cluster, port),
    port,
    adopted,
    release: stopWatching,
    stop,
    get pid() {
      return pid;
    },
  };
}

interface Launch {
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly cluster: string;
  readonly port: number;
  readonly options: ServerOptions;
}

/** Starts the server and waits until it answers. @returns its pid */
async function start({ binaries, user, cluster, port, options }: Launch): Promise<number> {
  const logFile = join(options.directory, 'postgres.log');
  const log = openSync(logFile, 'a');
  const child = spawn(binaries.postgres, ['-D', here(cluster), ...settings(port, options.settings)], {
    cwd: cluster,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    ...user,
  });
  closeSync(log);
  let ended = false;
  child.on('exit', () => (ended = true));
  child.on('error', () => (ended = true));
  child.unref();
  for (let waited = 0; waited < 60_000 && !ended; waited += 25) {
    if (await answers(port, options.password, 5_000)) return child.pid ?? 0;
    await sleep(25);
  }
  throw new Error(`PostgreSQL did not start: see ${logFile}`);
}

/** Starts the server again whenever its process has ended. @returns stops watching */
function watch(pid: () => number, restart: () => Promise<unknown>): () => Promise<void> {
  let stopped = false;
  const run = async (): Promise<void> => {
    while (!stopped) {
      await sleep(100, undefined, { ref: false });
      if (stopped || alive(pid())) continue;
      // The backends of a killed server take a moment to end; until then a new one is refused.
      await restart().catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stopped = true;
    await Promise.race([running, sleep(1000)]);
  };
}

function settings(port: number, more: Readonly<Record<string, string>> = {}): string[] {
  const all: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: process.platform === 'win32' ? '' : '.',
    max_connections: '120',
    ...memorySettings(),
    jit: 'off',
    random_page_cost: '1.1',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    ...more,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const databaseUrl = (port: number, password: string, database: string): string =>
  `postgresql://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** Longest path of a socket that every system takes, bytes. */
const socketPathLimit = 100;

/** The server's socket lies in its cluster's folder, which only its user can enter. */
function overSocket(url: string, cluster: string, port: number): string {
  const socket = join(cluster, `.s.PGSQL.${port}`);
  const usable = existsSync(socket) && Buffer.byteLength(socket) <= socketPathLimit;
  return usable ? `${url}?host=${encodeURIComponent(cluster)}` : url;
}

/** The server that left its pid file behind, if that process lives. */
function runningServer(cluster: string): { pid: number; port: number } | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 && alive(pid) ? { pid, port } : undefined;
}

async function answers(port: number, password: string, timeoutMs: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: databaseUrl(port, password, 'postgres'),
    connectionTimeoutMillis: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(port, password, 'postgres') });
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = 'gateway'");
    if (found.rowCount === 0) await client.query('create database gateway');
  } finally {
    await client.end();
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
