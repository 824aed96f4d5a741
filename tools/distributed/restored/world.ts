import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import { freePort } from '@messaging-gateway/postgres';
import {
  environmentOf,
  startDistributed,
  startWebhookReceiver,
  testDatabase,
  type Distributed,
  type DistributedOptions,
  type TestDatabase,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import { command } from '../../../services/standalone/end-to-end/embedded.ts';
import { Started } from '../started.ts';
import { testServers, type TestServers } from '../test-servers.ts';

export const secret = 'a secret of the receiver';

/**
 * A distributed installation whose database is lost and restored from a backup; the other servers keep their data.
 * Before the restore engines run beside the gateway, and campaigns and automation have two replicas each. After it
 * `npm run start:distributed` runs all services, with engines in workers.
 */
export interface RestoredWorld {
  readonly servers: TestServers;
  readonly network: Simulator;
  readonly receiver: WebhookReceiver;
  /** Runs until the restore. */
  readonly installation: Distributed;
  /** Runs since the restore. */
  readonly restored: Started;
  /** Calls a route below `/api/v1` of the gateway that runs. */
  readonly call: Distributed['call'];
  /** URL of the database that the services use. */
  readonly databaseUrl: string;
  backUp(): Promise<void>;
  /** Restores the backup into an empty database, once the installation has ended. @returns the output of the command */
  restore(): Promise<string>;
  /** Starts all services on the restored database. */
  startAgain(): Promise<void>;
  end(): Promise<void>;
}

export async function startRestoredWorld(): Promise<RestoredWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-restored-'));
  const file = join(directory, 'backup');
  const [servers, network, receiver] = await Promise.all([
    testServers(),
    startSimulator(),
    startWebhookReceiver(secret),
  ]);
  const databases: TestDatabase[] = [];
  let options = optionsOf(servers, network, directory);
  let installation: Distributed | undefined;
  let restored: Started | undefined;
  const end = async (): Promise<void> => {
    await installation?.stop();
    await restored?.stop();
    await Promise.allSettled([network.stop(), receiver.stop()]);
    await Promise.allSettled([servers.drop(), ...databases.map((one) => one.drop())]);
    rmSync(directory, { recursive: true, force: true });
  };
  const running = <Runner>(runner: Runner | undefined): Runner => {
    if (runner === undefined) throw new Error('The installation was not started.');
    return runner;
  };
  try {
    installation = await startDistributed({ ...options, replicasOf: { campaigns: 2, automation: 2 } });
  } catch (error) {
    await end();
    throw error;
  }
  return {
    servers,
    network,
    receiver,
    get installation() {
      return running(installation);
    },
    get restored() {
      return running(restored);
    },
    call: (...request) => (restored ?? running(installation)).call(...request),
    get databaseUrl() {
      return options.databaseUrl;
    },
    backUp: async () => void (await command('backup', environmentOf(options, directory), file)),
    restore: async () => {
      const database = await testDatabase();
      databases.push(database);
      options = { ...options, databaseUrl: database.url };
      return command('restore', environmentOf(options, directory), file);
    },
    startAgain: async () => {
      const ports = { API_PORT: String(await freePort()), HEALTH_PORT: '0', ENGINE_HOST: 'worker' };
      restored = new Started({ ...environmentOf(options, directory), ...ports });
      await restored.ready();
    },
    end,
  };
}

const optionsOf = (servers: TestServers, network: Simulator, directory: string): DistributedOptions => ({
  ...servers,
  environment: {
    ENGINE_HOST: 'api',
    SOCKET_ENGINE_URL: network.url,
    SOCKET_ENGINE_ROOT_KEY: network.rootKey,
    SOCKET_ENGINE_CA_FILE: network.caFile,
    MEDIA_DIR: join(directory, 'media'),
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMIT_GLOBAL: 'off',
    RATE_LIMIT_AUTH: 'off',
    RATE_LIMIT_MAX: '0',
  },
});
