import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@messaging-gateway/network-simulator';
import type { Simulator } from '@messaging-gateway/network-simulator';
import { startGatewayProcess } from '@messaging-gateway/testing';
import type { Answer, GatewayProcess } from '@messaging-gateway/testing';

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
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Pid of the embedded PostgreSQL of a world. */
export function postgresPid(world: World): number {
  const file = join(world.directory, 'data', 'postgres', 'cluster', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
}

/** A person with an organization of the own. */
export interface Tenant {
  readonly token: string;
  readonly accountId: string;
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
}

let people = 0;

/** Registers somebody new. */
export async function register(world: World): Promise<Tenant> {
  people += 1;
  const email = `person-${people}@example.com`;
  const answer = await world.gateway.call<{ accessToken: string }>('POST', '/auth/register', {
    email,
    password: 'correct horse battery',
    name: `Person ${people}`,
  });
  if (answer.status !== 201) throw new Error(`register answered ${answer.status} ${JSON.stringify(answer.body)}`);
  const token = answer.body.accessToken;
  const call: Tenant['call'] = (method, path, body, headers) =>
    world.gateway.call(method, path, body, { credential: token, ...(headers && { headers }) });
  const accounts = await call<{ items: { id: string }[] }>('GET', '/accounts');
  return { token, accountId: accounts.body.items[0]?.id ?? '', call };
}

export interface LinkedProfile {
  readonly profileId: string;
  readonly phone: string;
}

/** Makes a profile and links it with a simulated phone by QR. */
export async function linkProfile(
  world: World,
  tenant: Tenant,
  phone: string,
  settings: object = {},
): Promise<LinkedProfile> {
  const made = await tenant.call<{ id: string }>('POST', '/profiles', {
    name: `Profile ${phone}`,
    messageDelayMs: 0,
    ...settings,
  });
  if (made.status !== 201) throw new Error(`POST /profiles answered ${made.status} ${JSON.stringify(made.body)}`);
  const profileId = made.body.id;
  await tenant.call('POST', `/profiles/${profileId}/connect`);
  const qr = await eventually(async () => {
    const answer = await tenant.call<{ qr: string }>('GET', `/accounts/${tenant.accountId}/profiles/${profileId}/qr`);
    return answer.status === 200 ? answer.body.qr : undefined;
  });
  await world.network.createPhone({ phone });
  await world.network.scan(phone, qr);
  await connected(tenant, profileId);
  return { profileId, phone };
}

/** Waits until a profile is connected. */
export async function connected(tenant: Tenant, profileId: string): Promise<void> {
  await eventually(async () => {
    const answer = await tenant.call<{ status: string }>('GET', `/profiles/${profileId}/status`);
    return answer.body.status === 'connected' ? true : undefined;
  }, 60_000);
}

/** Asks again until there is an answer. */
export async function eventually<T>(ask: () => Promise<T | undefined>, timeoutMs = 30_000): Promise<T> {
  for (const until = Date.now() + timeoutMs; ;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > until) throw new Error(`It did not happen in ${timeoutMs} ms: ${ask.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
