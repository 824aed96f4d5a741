import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
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
import { testServers, type TestServers } from '../test-servers.ts';

export const secret = 'a secret of the receiver';

/** A distributed installation whose database is lost, and comes back from a backup; everything else stays. */
export interface RestoredWorld {
  readonly servers: TestServers;
  readonly network: Simulator;
  readonly receiver: WebhookReceiver;
  readonly installation: Distributed;
  /** URL of the database that it runs on. */
  readonly databaseUrl: string;
  backUp(): Promise<void>;
  /** Ends every process, restores the backup into an empty database and starts again. @returns what the command said */
  restore(): Promise<string>;
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
  const end = async (): Promise<void> => {
    await installation?.stop();
    await Promise.allSettled([network.stop(), receiver.stop()]);
    await Promise.allSettled([servers.drop(), ...databases.map((one) => one.drop())]);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    installation = await startDistributed(options);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    servers,
    network,
    receiver,
    get installation() {
      return installation as Distributed;
    },
    get databaseUrl() {
      return options.databaseUrl;
    },
    backUp: async () => void (await command('backup', environmentOf(options, directory), file)),
    restore: async () => {
      await installation?.stop();
      const database = await testDatabase();
      databases.push(database);
      options = { ...options, databaseUrl: database.url };
      const said = await command('restore', environmentOf(options, directory), file);
      installation = await startDistributed(options);
      return said;
    },
    end,
  };
}

const optionsOf = (servers: TestServers, network: Simulator, directory: string): DistributedOptions => ({
  ...servers,
  environment: {
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
