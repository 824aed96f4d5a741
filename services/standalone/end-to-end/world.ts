import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@messaging-gateway/network-simulator';
import type { Simulator } from '@messaging-gateway/network-simulator';
import { moveFileClock } from '@messaging-gateway/runtime';
import { startGatewayProcess } from '@messaging-gateway/testing';
import type { GatewayProcess } from '@messaging-gateway/testing';

/** A gateway process on a data folder of its own beside a simulated network, as a user would run them. */
export interface World {
  readonly network: Simulator;
  /** Folder of this world, which holds the data folders and whatever else its suites write. */
  readonly directory: string;
  /** `DATA_DIR` of the gateway; another folder after a restart with another one. */
  readonly dataDirectory: string;
  /** `SESSIONS_DIR` of the gateway, which stays the same when a backup is restored into another data folder. */
  readonly sessionsDirectory: string;
  readonly gateway: GatewayProcess;
  /**
   * Starts the gateway again, after `gateway.stop()` or `gateway.kill()`.
   *
   * @param changed settings that differ from the last start; they hold for later restarts too
   */
  restart(changed?: Readonly<Record<string, string>>): Promise<GatewayProcess>;
  /** Moves the gateway's clock forward. The gateway sees the jump within 50 ms; requests that it jumps over may time out. */
  moveClock(ms: number): void;
  /** Time of the gateway's clock, milliseconds since 1970. */
  now(): number;
  /** Stops everything and removes the folder. */
  end(): Promise<void>;
}

/** @param environment settings of the gateway, beside those that every world has */
export async function startWorld(environment: Readonly<Record<string, string>> = {}): Promise<World> {
  const network = await startSimulator();
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-end-to-end-'));
  const clockFile = join(directory, 'clock');
  const data = join(directory, 'data');
  let settings: Readonly<Record<string, string>> = {
    NODE_ENV: 'test',
    DATA_DIR: data,
    TEST_CLOCK_FILE: clockFile,
    SOCKET_ENGINE_URL: network.url,
    SOCKET_ENGINE_ROOT_KEY: network.rootKey,
    SOCKET_ENGINE_CA_FILE: network.caFile,
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMIT_GLOBAL: 'off',
    RATE_LIMIT_AUTH: 'off',
    RATE_LIMIT_MAX: '0',
    LOG_LEVEL: 'warn',
    ...environment,
  };
  const remove = async (): Promise<void> => {
    await network.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  };
  let gateway = await startGatewayProcess(settings).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  let ahead = 0;
  return {
    network,
    directory,
    get dataDirectory() {
      return settings['DATA_DIR'] ?? data;
    },
    sessionsDirectory: join(data, 'sessions'),
    get gateway() {
      return gateway;
    },
    restart: async (changed = {}) => {
      settings = { ...settings, ...changed };
      gateway = await startGatewayProcess(settings);
      return gateway;
    },
    moveClock: (ms) => moveFileClock(clockFile, (ahead += ms)),
    now: () => Date.now() + ahead,
    end: async () => {
      await gateway.stop();
      await remove();
    },
  };
}

/** Pid of the embedded PostgreSQL of a world. @throws Error when there is none */
export function postgresPid(world: World): number {
  const file = join(world.dataDirectory, 'postgres', 'cluster', 'postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}
