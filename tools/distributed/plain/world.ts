import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { traceCollector, type TraceCollector } from '@messaging-gateway/tracing/testing';
import type { Chat } from '../load/load.ts';
import { startOwnServers, type OwnServers } from './own-servers.ts';

/** Services that are killed, and servers that are killed or cut off, one after the other. */
export const troubledServices = ['gateway', 'outbound', 'sessions', 'inbox', 'webhooks', 'campaigns'] as const;
export const troubledServers = ['rabbitmq', 'kafka', 'postgres', 'redis'] as const;

/** What surrounds the installation: servers that can be killed, a simulated network, a webhook receiver, a trace collector. */
export interface PlainServers {
  readonly own: OwnServers;
  readonly network: Simulator;
  readonly collector: TraceCollector;
  readonly receiver: WebhookReceiver;
  /** For files of the tests; removed at the end. */
  readonly directory: string;
  end(): Promise<void>;
}

/**
 * A distributed installation with engines in workers, and what surrounds it. One replica of each service runs, two of
 * insights. A second replica of each of `troubledServices` is not started yet.
 */
export interface PlainWorld extends PlainServers {
  readonly installation: Distributed;
  /** For `register` and `linkProfile`; each call goes to the next gateway that runs. */
  readonly api: ApiWorld;
}

/** Secret of every webhook at the receiver. */
const secret = 'secret of the receiver';

export async function startPlainServers(): Promise<PlainServers> {
  const [own, network, collector, receiver] = await Promise.all([
    startOwnServers(),
    startSimulator(),
    traceCollector(),
    startWebhookReceiver(secret),
  ]);
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-plain-'));
  return {
    own,
    network,
    collector,
    receiver,
    directory,
    end: async () => {
      await Promise.allSettled([network.stop(), receiver.stop(), collector.close()]);
      await own.drop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function startPlainWorld(servers: PlainServers): Promise<PlainWorld> {
  const { own, network, collector } = servers;
  const installation = await startDistributed({
    ...own.urls,
    replicasOf: { insights: 2 },
    spare: troubledServices,
    // A dozen processes on a machine that is busy with other tests.
    readyMs: 600_000,
    environment: {
      ENGINE_HOST: 'worker',
      SOCKET_ENGINE_URL: network.url,
      SOCKET_ENGINE_ROOT_KEY: network.rootKey,
      SOCKET_ENGINE_CA_FILE: network.caFile,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      WEBHOOK_RETRY_DELAY_MS: '1000',
      RATE_LIMIT_GLOBAL: 'off',
      RATE_LIMIT_AUTH: 'off',
      RATE_LIMIT_MAX: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    },
  });
  return { ...servers, installation, api: { gateway: anyGatewayOf(installation), network } };
}

/** Registers a tenant and subscribes the receiver to its events. */
export async function registerWithWebhook(world: PlainWorld, events: readonly string[]): Promise<Tenant> {
  const tenant = await register(world.api);
  await tenant.call('POST', '/webhooks', { url: world.receiver.url, secret, events });
  return tenant;
}

/** A tenant and its chats: parts of `startLoad`. */
interface Company {
  readonly tenant: Tenant;
  readonly chats: readonly Chat[];
}

/** Registers a tenant with a profile for each phone. The contact of a profile has the number after its phone. */
export async function startCompany(world: PlainWorld, phones: readonly string[]): Promise<Company> {
  const tenant = await registerWithWebhook(world, ['message.sent', 'message.received']);
  const chats: Chat[] = [];
  for (const phone of phones) {
    const linked = await linkProfile(world.api, tenant, phone);
    chats.push({ ...linked, contact: String(BigInt(phone) + 1n) });
  }
  return { tenant, chats };
}

/** Sends each call to the next gateway that was started, as a load balancer does. */
function anyGatewayOf(installation: Distributed): Pick<Distributed, 'call'> {
  let calls = 0;
  return {
    call: (method, path, body, options) => {
      calls += 1;
      const started = installation.gateways.filter((_, n) => installation.replica('gateway', n).wasStarted);
      return installation.call(method, path, body, { ...options, gateway: calls % started.length });
    },
  };
}
