import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseUrl, ensureDatabase } from './asking.ts';
import { findBinaries } from './binaries.ts';
import { freePort } from './free-port.ts';
import { prepareCluster } from './cluster.ts';
import { endServer, launch } from './launching.ts';
import { leftRunning } from './left-running.ts';
import { alive } from './lock-file.ts';
import { serverUser } from './server-user.ts';
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
  /** Ends the start: what it started is ended. Default: nothing does. */
  readonly signal?: AbortSignal | undefined;
  /** Told for what is waited. Default: nobody. */
  readonly say?: (line: string) => void;
}

export interface PostgresServer {
  /** Connection string of the database `gateway`, over TCP. */
  readonly url: string;
  /** URL over the server's Unix socket, which takes a third off a small statement; `url` where there is none. */
  readonly localUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Whether it was running already: the process that started it was killed. */
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
 * @throws the signal's reason when it is aborted
 * @throws OtherPassword when the cluster was made with another one
 * @throws Error with one sentence when it cannot; nothing that it started is left running
 */
export async function startPostgres(options: ServerOptions): Promise<PostgresServer> {
  const { directory, password, signal, say = () => undefined } = options;
  const user = serverUser();
  const binaries = findBinaries(user !== undefined);
  const cluster = await prepareCluster(directory, password, binaries, user, major);
  const left = await leftRunning({ directory, cluster, password, say, signal });
  const port = left?.port ?? options.port ?? (await freePort());
  const given = { binaries, user, directory, cluster, port, password, settings: settings(port, options.settings) };
  const stopping = new AbortController();
  let pid = left?.pid ?? (await launch(given, AbortSignal.any([stopping.signal, ...(signal ? [signal] : [])])));
  await ensureDatabase(port, password).catch(async (error: unknown) => {
    if (left === undefined) await endServer(pid);
    throw error;
  });
  const watching = watch(
    () => pid,
    async () => (pid = await launch(given, stopping.signal)),
    stopping.signal,
  );
  const release = async (): Promise<void> => {
    stopping.abort();
    await watching;
  };
  const url = databaseUrl(port, password, 'gateway');
  return {
    url,
    localUrl: overSocket(url, cluster, port),
    port,
    adopted: left !== undefined,
    release,
    stop: async () => {
      await release();
      await endServer(pid);
    },
    get pid() {
      return pid;
    },
  };
}

/** Starts the server again whenever its process has ended, until the signal is aborted. */
async function watch(pid: () => number, restart: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(100, undefined, { ref: false, signal }).catch(() => undefined);
    if (!signal.aborted && !alive(pid())) await restart().catch(() => undefined);
  }
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

/** Longest path of a socket that every system takes, bytes. */
const socketPathLimit = 100;

/** The server's socket lies in its cluster's folder, which only its user can enter. */
function overSocket(url: string, cluster: string, port: number): string {
  const socket = join(cluster, `.s.PGSQL.${port}`);
  const usable = existsSync(socket) && Buffer.byteLength(socket) <= socketPathLimit;
  return usable ? `${url}?host=${encodeURIComponent(cluster)}` : url;
}
