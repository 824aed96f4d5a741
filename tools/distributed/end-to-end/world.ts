import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import {
  linkProfile,
  register,
  startDistributed,
  startWebhookReceiver,
  type ApiWorld,
  type Distributed,
  type Tenant,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import type { Chat } from './load.ts';
import { startOwnServers, type OwnServers } from './own-servers.ts';

/** Services that are killed, and servers that are killed or cut off, one after the other. */
export const troubledServices = ['gateway', 'outbound', 'sessions', 'inbox', 'webhooks', 'campaigns'] as const;
export const troubledServers = ['rabbitmq', 'kafka', 'postgres', 'redis'] as const;

/** A distributed installation that things happen to, and people who use it. */
export interface TroubledWorld {
  readonly servers: OwnServers['servers'];
  readonly network: Simulator;
  readonly installation: Distributed;
  /** For `register` and `linkProfile`; each call goes to the next gateway. */
  readonly api: ApiWorld;
  readonly tenant: Tenant;
  readonly receiver: WebhookReceiver;
  readonly chats: readonly Chat[];
  end(): Promise<void>;
}

export interface TroubledWorldOptions {
  readonly replicas: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Phones, each of a profile of its own; the contact of each has the number after it. */
  readonly phones: readonly string[];
}

const secret = 'secret of the receiver';

export async function startTroubledWorld({
  replicas,
  environment,
  phones,
}: TroubledWorldOptions): Promise<TroubledWorld> {
  const own = await startOwnServers();
  const network = await startSimulator();
  const receiver = await startWebhookReceiver(secret);
  let installation: Distributed | undefined;
  const end = async (): Promise<void> => {
    await installation?.stop();
    await receiver.stop();
    await network.stop();
    await own.drop();
  };
  try {
    const running = await startDistributed({
      ...own.urls,
      replicas,
      // A dozen processes on a machine that is busy with other tests.
      readyMs: 600_000,
      // Nothing happens to them.
      replicasOf: { identity: 1, insights: 1 },
      environment: {
        SOCKET_ENGINE_URL: network.url,
        SOCKET_ENGINE_ROOT_KEY: network.rootKey,
        SOCKET_ENGINE_CA_FILE: network.caFile,
        WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
        WEBHOOK_RETRY_DELAY_MS: '1000',
        RATE_LIMIT_GLOBAL: 'off',
        RATE_LIMIT_AUTH: 'off',
        RATE_LIMIT_MAX: '0',
        ...environment,
      },
    });
    installation = running;
    const api = { gateway: anyGatewayOf(running), network };
    const tenant = await register(api);
    await tenant.call('POST', '/webhooks', { url: receiver.url, secret, events: ['message.sent', 'message.received'] });
    const chats: Chat[] = [];
    for (const phone of phones) {
      const linked = await linkProfile(api, tenant, phone);
      chats.push({ ...linked, contact: String(BigInt(phone) + 1n) });
    }
    return { servers: own.servers, network, installation: running, api, tenant, receiver, chats, end };
  } catch (error) {
    const logs = installation?.logs() ?? '';
    await end();
    throw new Error(`${(error as Error).message}\n${logs}`, { cause: error });
  }
}

/** As a load balancer does: each call goes to the next gateway. */
function anyGatewayOf(installation: Distributed): Pick<Distributed, 'call'> {
  let calls = 0;
  return {
    call: (method, path, body, options) => {
      calls += 1;
      return installation.call(method, path, body, { ...options, gateway: calls % installation.gateways.length });
    },
  };
}
