import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startSimulator, type Simulator } from './simulator.ts';

const usualPort = 3900;

export interface BesideOptions {
  /** Where the gateway keeps its data: the seed and the links lie there, in `simulator`. */
  readonly dataDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A simulated network beside a gateway. */
export interface Beside {
  readonly simulator: Simulator;
  /** Variables that lead the socket engine to the simulated network. */
  readonly variables: Readonly<
    Record<'SOCKET_ENGINE_URL' | 'SOCKET_ENGINE_ROOT_KEY' | 'SOCKET_ENGINE_CA_FILE', string>
  >;
  /** Page of the simulated phones. */
  readonly page: string;
}

/**
 * Starts the simulated network for `--simulator`, on 127.0.0.1. Its seed and who is linked are kept with the gateway's
 * data, so that linked profiles stay linked over a restart.
 *
 * @throws Error with a line for the operator when its port is taken
 */
export async function startBeside({ dataDirectory, environment }: BesideOptions): Promise<Beside> {
  const folder = join(resolve(dataDirectory), 'simulator');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = Number(environment['SIMULATOR_PORT'] || usualPort);
  const api = `http://127.0.0.1:${environment['API_PORT']?.trim() || 3000}`;
  const simulator = await startSimulator({
    port,
    seed: environment['SIMULATOR_SEED'] || keptSeed(join(folder, 'seed')),
    linksFile: join(folder, 'links.json'),
    caFile: join(folder, 'authority.pem'),
    gateway: api,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`SIMULATOR_PORT ${port} is used by another program.`, { cause: error });
  });
  return {
    simulator,
    page: `${simulator.control}/`,
    variables: {
      SOCKET_ENGINE_URL: simulator.url,
      SOCKET_ENGINE_ROOT_KEY: simulator.rootKey,
      SOCKET_ENGINE_CA_FILE: simulator.caFile,
    },
  };
}

function keptSeed(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const seed = randomUUID();
    writeFileSync(file, seed, { mode: 0o600 });
    return seed;
  }
}
