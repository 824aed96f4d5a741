import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import {
  register,
  startDistributed,
  startWebhookReceiver,
  type ApiWorld,
  type Distributed,
  type Tenant,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import { traceCollector, type TraceCollector } from '@messaging-gateway/tracing/testing';
import { testServers, type TestServers } from '../test-servers.ts';

/** A distributed installation with engines in workers, and what stands around it. */
export interface WorkersWorld {
  readonly servers: TestServers;
  readonly network: Simulator;
  readonly collector: TraceCollector;
  readonly receiver: WebhookReceiver;
  readonly installation: Distributed;
  /** For `register` and `linkProfile`. */
  readonly api: ApiWorld;
  /** All events of this tenant go to the receiver. */
  readonly tenant: Tenant;
  end(): Promise<void>;
}

const secret = 'a secret of the receiver';

export async function startWorkersWorld(): Promise<WorkersWorld> {
  const [servers, network, collector, receiver] = await Promise.all([
    testServers(),
    startSimulator(),
    traceCollector(),
    startWebhookReceiver(secret),
  ]);
  let installation: Distributed | undefined;
  const end = async (): Promise<void> => {
    await installation?.stop();
    await Promise.allSettled([network.stop(), receiver.stop(), collector.close()]);
    await servers.drop();
  };
  try {
    const running = await startDistributed({
      ...servers,
      replicasOf: { insights: 2 },
      environment: {
        ENGINE_HOST: 'worker',
        SOCKET_ENGINE_URL: network.url,
        SOCKET_ENGINE_ROOT_KEY: network.rootKey,
        SOCKET_ENGINE_CA_FILE: network.caFile,
        WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
        RATE_LIMIT_GLOBAL: 'off',
        RATE_LIMIT_AUTH: 'off',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      },
    });
    installation = running;
    const api = { gateway: running, network };
    const tenant = await register(api);
    await tenant.call('POST', '/webhooks', { url: receiver.url, secret, events: ['*'] });
    return { servers, network, collector, receiver, installation: running, api, tenant, end };
  } catch (error) {
    await end();
    throw error;
  }
}
