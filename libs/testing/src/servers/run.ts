import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { askKeeper, stateVariable } from './keeper-client.ts';
import type { KeeperState } from './keeper-client.ts';
import type { ServerAddress } from './server.ts';

const keeper = fileURLToPath(new URL('keeper/main.ts', import.meta.url));

/** The servers of a test run. */
export interface ServerRun {
  /** One line for each server that no test can have: what to install. */
  readonly missing: readonly string[];
  /** One line for each server that is given and can't be killed, as tests of outages need it, or can't be secured. */
  readonly untouchable: readonly string[];
  /** A Docker engine answers. */
  readonly docker: boolean;
  /** Ends all servers that the run started and removes their data. */
  close(): Promise<void>;
}

/**
 * Begins a run: finds out which servers tests can have (`servers/finding`), starts PostgreSQL, and lets this process
 * and those that it starts ask for the others. Should this process die, the servers end all the same.
 */
export async function openServerRun(): Promise<ServerRun> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', keeper], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const state = JSON.parse(await firstLine(child.stdout, ended)) as KeeperState;
  process.env[stateVariable] = JSON.stringify(state);
  const postgres = await askKeeper<ServerAddress>('shared/postgres');
  process.env['TEST_POSTGRES_URL'] = postgres.url;
  return {
    docker: state.docker,
    missing: Object.values(state.servers).flatMap(({ missing }) => missing ?? []),
    untouchable: Object.entries(state.servers)
      .filter(([, { own, missing }]) => !own && missing === undefined)
      .map(([kind]) => `${kind} is given and cannot be killed: install it or start Docker to try its outages`)
      .concat(state.docker ? ['Connections with TLS are tried with installed servers only: TEST_DOCKER=off'] : []),
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

async function firstLine(stream: NodeJS.ReadableStream, ended: Promise<void>): Promise<string> {
  const lines = createInterface({ input: stream });
  const line = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    ended.then(() => undefined),
  ]);
  if (line === undefined) throw new Error('The servers of the test run could not be prepared: see above.');
  return line;
}
