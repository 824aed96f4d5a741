import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import {
  startGatewayProcess,
  startPushService,
  type FakePushService,
  type GatewayProcess,
} from '@messaging-gateway/testing';
import { chromium, type Browser } from 'playwright-core';
import { buildPages } from './built.ts';

/** A gateway with the built pages beside a simulated network, and a browser. */
export interface AdminWorld {
  readonly network: Simulator;
  readonly gateway: GatewayProcess;
  readonly browser: Browser;
  /** Where browsers that subscribe are pushed to. */
  readonly pushService: FakePushService;
  /** Of the gateway. */
  readonly dataDirectory: string;
  /** Starts the gateway again on the same data and port, after `gateway.kill()`. @param others settings that are other than before, or left to their defaults */
  restart(others?: Readonly<Record<string, string | undefined>>): Promise<void>;
  end(): Promise<void>;
}

/** @param program of the browser */
export async function startAdminWorld(program: string): Promise<AdminWorld> {
  buildPages();
  const [network, pushService] = await Promise.all([startSimulator(), startPushService()]);
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-admin-'));
  const authority = join(directory, 'authority.pem');
  writeFileSync(authority, pushService.authority);
  const settings = {
    NODE_ENV: 'test',
    DATA_DIR: join(directory, 'data'),
    SOCKET_ENGINE_URL: network.url,
    SOCKET_ENGINE_ROOT_KEY: network.rootKey,
    SOCKET_ENGINE_CA_FILE: network.caFile,
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMIT_GLOBAL: 'off',
    RATE_LIMIT_AUTH: 'off',
    RATE_LIMIT_MAX: '0',
    LOG_LEVEL: 'warn',
    NODE_EXTRA_CA_CERTS: authority,
  };
  const remove = async (): Promise<void> => {
    await Promise.all([network.stop(), pushService.stop()]);
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  };
  let gateway = await startGatewayProcess(settings).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const { port } = new URL(gateway.host);
  const browser = await chromium.launch({
    executablePath: program,
    // A name that is no localhost: there plain HTTP is what it is elsewhere.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP gateway.test 127.0.0.1'],
  });
  return {
    network,
    browser,
    pushService,
    get gateway() {
      return gateway;
    },
    dataDirectory: settings.DATA_DIR,
    restart: async (others) => {
      const all = Object.entries({ ...settings, API_PORT: port, ...others });
      const given = all.filter((setting): setting is [string, string] => setting[1] !== undefined);
      gateway = await startGatewayProcess(Object.fromEntries(given));
    },
    end: async () => {
      await browser.close();
      await gateway.stop();
      await remove();
    },
  };
}
