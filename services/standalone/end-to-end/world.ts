import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@messaging-gateway/network-simulator';
import type { Simulator } from '@messaging-gateway/network-simulator';
import { startGatewayProcess } from '@messaging-gateway/testing';
import type { GatewayProcess } from '@messaging-gateway/testing';

/** A gateway process on a data folder of its own beside a simulated network, as a user would run them. */
export interface World {
  readonly network: Simulator;
  readonly directory: string;
  /** File that moves the gateway's clock, see `moveFileClock`. */
  readonly clockFile: string;
  readonly gateway: GatewayProcess;
  /** Starts the gateway again on the same data, after `gateway.stop()` or `gateway.kill()`. */
  restart(environment?: Readonly<Record<string, string>>): Promise<GatewayProcess>;
  /** Ends everything and removes the data. */
  end(): Promise<void>;
}

export async function startWorld(environment: Readonly<Record<string, string>> = {}): Promise<World> {
  const network = await startSimulator();
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-end-to-end-'));
  const clockFile = join(directory, 'clock');
  const settings = {
    NODE_ENV: 'test',
    DATA_DIR: join(directory, 'data'),
    TEST_CLOCK_FILE: clockFile,
    SOCKET_ENGINE_URL: network.url,
    SOCKET_ENGINE_ROOT_KEY: network.rootKey,
    SOCKET_ENGINE_CA_FILE: network.caFile,
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMIT_GLOBAL: 'off',
    RATE_LIMIT_AUTH: 'off',
    RATE_LIMIT_MAX: '0',
    LOG_LEVEL: 'warn',
  };
  let gateway = await startGatewayProcess({ ...settings, ...environment });
  return {
    network,
    directory,
    clockFile,
    get gateway() {
      return gateway;
    },
    restart: async (changed = environment) => (gateway = await startGatewayProcess({ ...settings, ...changed })),
    end: async () => {
      await gateway.stop();
      await network.stop();
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Pid of the embedded PostgreSQL of a world. @throws Error when there is none */
export function postgresPid(world: World): number {
  const file = join(world.directory, 'data', 'postgres', 'cluster', 'postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}
