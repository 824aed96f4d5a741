import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceNames } from '@messaging-gateway/contracts';
import { startSimulator } from '@messaging-gateway/network-simulator';
import {
  callGateway,
  linkProfile,
  ownPostgres,
  register,
  severable,
  startWebhookReceiver,
  testKafka,
  testRabbitMq,
  testRedis,
  testS3,
  type Answer,
  type ApiWorld,
  type Tenant,
} from '@messaging-gateway/testing';
import { startLoad, type Load } from '../../distributed/load/load.ts';
import { previousVersion } from '../../distributed/previous/previous-version.ts';
import { startBalancer, type Balancer } from '../cluster/balancer.ts';
import { startCluster, type Cluster } from '../cluster/cluster.fixture.ts';
import { endpointsOf } from '../cluster/node/service-routes.ts';
import { serviceImage, type ServiceImage } from '../cluster/service-image.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const release = readFileSync(join(root, 'helm/last-release'), 'utf8').trim();

export const namespace = 'messaging';
/** Name of the installation. */
export const shop = 'shop';
/** How late the balancer hears of pods, milliseconds. */
const lagMs = 500;
const secret = 'secret of the receiver';

export type Version = 'before' | 'now';
/** What there is of each version; of the last release only where it is installed. */
type Versions<Part> = { now: Part; before?: Part };

/** A cluster with three nodes beside real servers, for an installation that people use while things happen to it. */
export interface RolloutWorld {
  readonly cluster: Cluster;
  /** Folder of a version's chart. @throws Error for `before` in a world that begins with `now` */
  chart(version: Version): string;
  /** Values of the installation. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Values of a small one: a pod for each service, media on a claim, the simulated network in the cluster. */
  readonly smallValues: Readonly<Record<string, unknown>>;
  /** PostgreSQL's address, beside the way that pods take. */
  readonly databaseUrl: string;
  /** The way to PostgreSQL. */
  readonly postgres: { cut(): void; heal(): void };
  /** Requests that were not answered as they should be: by the gateways, or by the balancer. */
  readonly failed: readonly string[];
  /** File of values with which the chart renders everything. */
  readonly everything: string;
  /** Of the balancer before the gateways. */
  readonly url: string;
  /** Through the balancer, beside the network outside of the cluster. */
  readonly api: ApiWorld;
  /** The simulated network in the cluster, once it is there. */
  simulatorUrl(): Promise<string>;
  /** Links profiles and begins to write both ways, once the installation is there. */
  startLoad(): Promise<Load>;
  /** Links so many profiles more, with which nobody writes. */
  linkIdle(count: number): Promise<void>;
  end(): Promise<void>;
}

const keys = {
  BROKER_SECRET: 'k2Zt8mV3xR1bN7wY5cF9hJ2sD6gL4pE0',
  JWT_SECRET: 'q8ZtV3mK1xR7bN5wY9cF2hJ6sD4gL0pE',
  JWT_REFRESH_SECRET: 'T6uI2oP9aS4dF7gH1jK5lZ8xC3vB0nM.',
  ENCRYPTION_KEY: 'W1eR5tY9uI3oP7aS2dF6gH0jK4lZ8xC-',
};

/** @param first version that is installed first; with `now` the last release is not needed */
export async function startRolloutWorld(first: Version): Promise<RolloutWorld> {
  const ends: (() => unknown)[] = [];
  const ending = <T>(thing: T, end: (thing: T) => unknown): T => {
    ends.unshift(() => end(thing));
    return thing;
  };
  const end = async (): Promise<void> => {
    for (const one of ends) await Promise.resolve(one()).catch(() => undefined);
  };
  try {
    const folders: Versions<string> = { now: root };
    if (first === 'before') {
      folders.before = ending(await previousVersion(release), (version) => version.remove()).folder;
      chmodSync(folders.before, 0o755);
    }
    const servers = await startServers(ending);
    const network = ending(await startSimulator(), (simulator) => simulator.stop());
    const receiver = ending(await startWebhookReceiver(secret), (one) => one.stop());
    const images: Versions<ServiceImage> = { now: ending(serviceImage(), remove) };
    if (folders.before !== undefined) images.before = ending(serviceImage(folders.before), remove);
    // Before the cluster: removed when no pod writes there any more.
    const shared = ending(mkdtempSync(join(tmpdir(), 'messaging-gateway-claim-')), (folder) =>
      rmSync(folder, { recursive: true, force: true }),
    );
    chmodSync(shared, 0o1777);
    const cluster = ending(await startCluster(planOf(images)), (one) => one.stop());
    await prepare(cluster, servers.secrets, network.ca);
    await claims(cluster, shared);
    const balancing = { api: cluster.api, namespace, service: `${shop}-gateway`, lagMs };
    const balancer = ending(await startBalancer(balancing), (one) => one.stop());
    const { gateway, failed } = watched(balancer);
    const api: ApiWorld = { gateway, network };
    let tenant: Tenant | undefined;
    return {
      cluster,
      chart: (version) => {
        const folder = folders[version];
        if (folder === undefined) throw new Error('The last release was not unpacked.');
        return join(folder, 'helm/messaging-gateway');
      },
      values: valuesOf(servers.config, network),
      smallValues: smallValues(servers.config),
      everything: join(root, 'helm/messaging-gateway/ci/everything-values.yaml'),
      url: balancer.url,
      api,
      simulatorUrl: async () => {
        const slices = await cluster.api.list('/apis/discovery.k8s.io/v1/endpointslices');
        const [simulator] = endpointsOf(slices, namespace, `${shop}-simulator`, 'network');
        if (simulator === undefined) throw new Error('There is no simulated network in the cluster.');
        return `http://${simulator.address}:${simulator.port}`;
      },
      databaseUrl: servers.databaseUrl,
      postgres: servers.postgres,
      failed,
      startLoad: async () => {
        tenant = await register(api);
        await tenant.call('POST', '/webhooks', {
          url: receiver.url,
          secret,
          events: ['message.sent', 'message.received'],
        });
        const chats = [];
        for (const phone of ['4915112348001', '4915112348101'])
          chats.push({ ...(await linkProfile(api, tenant, phone)), contact: String(BigInt(phone) + 1n) });
        return startLoad({ tenant, network, receiver, chats, pauseMs: 300 });
      },
      linkIdle: async (count) => {
        if (tenant === undefined) throw new Error('Nobody is registered.');
        for (let number = 0; number < count; number += 1) await linkProfile(api, tenant, `49151123483${number}`);
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

const remove = (image: ServiceImage): void => image.remove();

type Ending = <T>(thing: T, end: (thing: T) => unknown) => T;

async function startServers(ending: Ending) {
  const postgres = ending(await ownPostgres(), (server) => server.drop());
  const way = ending(await severable(Number(new URL(postgres.url).port)), (one) => one.close());
  const [rabbitMq, kafka, redis, store] = await Promise.all([testRabbitMq(), testKafka(), testRedis(), testS3()]);
  for (const server of [rabbitMq, kafka, redis]) ending(server, (one) => one.drop());
  const endpoint = new URL(store.endpoint);
  return {
    postgres: way,
    databaseUrl: postgres.url,
    secrets: {
      ...keys,
      DATABASE_URL: Object.assign(new URL(postgres.url), { port: String(way.port) }).href,
      AMQP_URL: rabbitMq.url,
      CACHE_URL: redis.url,
      OBJECT_STORE_SECRET_KEY: store.secretKey,
    },
    config: {
      KAFKA_BROKERS: kafka.brokers.join(','),
      KAFKA_TOPIC_PREFIX: kafka.topicPrefix,
      KAFKA_PARTITIONS: 4,
      OBJECT_STORE_ENDPOINT: endpoint.hostname,
      OBJECT_STORE_PORT: Number(endpoint.port),
      OBJECT_STORE_USE_SSL: false,
      OBJECT_STORE_ACCESS_KEY: store.accessKey,
      OBJECT_STORE_BUCKET: store.bucket,
    },
  };
}

const planOf = (images: Readonly<Versions<ServiceImage>>) => ({
  nodes: ['a', 'b', 'c'].map((zone) => ({ name: `node-${zone}`, zone })),
  images: {
    ...(images.before && { 'messaging-gateway/service:before': images.before.image }),
    'messaging-gateway/service:now': images.now.image,
    'messaging-gateway/simulator:now': images.now.simulator,
  },
});

/** What an operator has made before Helm comes. */
async function prepare({ api, kubectl }: Cluster, secrets: Readonly<Record<string, string>>, authority: string) {
  await kubectl('create', 'namespace', namespace);
  await kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted');
  const secret = (name: string, stringData: object): Promise<void> =>
    api.create(`/api/v1/namespaces/${namespace}/secrets`, {
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name },
      stringData,
    });
  await secret('secrets', secrets);
  const { ENCRYPTION_KEY: _, ...incomplete } = secrets;
  await secret('without-a-key', incomplete);
  await secret('elsewhere', {
    uri: Object.assign(new URL(secrets['DATABASE_URL'] ?? ''), { username: 'nobody' }).href,
  });
  const elsewhere = new URL(secrets['DATABASE_URL'] ?? '');
  await secret('restored', { uri: Object.assign(elsewhere, { pathname: '/restored' }).href });
  await secret('network', { 'authority.pem': authority });
}

/** Folders of the machine: `media` can be written from all nodes, `of-one-node` from one. */
async function claims({ api }: Cluster, folder: string): Promise<void> {
  const resources = { storage: '1Gi' };
  for (const [name, mode] of [
    ['media', 'ReadWriteMany'],
    ['of-one-node', 'ReadWriteOnce'],
  ] as const) {
    const shape = { apiVersion: 'v1', metadata: { name } };
    const spec = { accessModes: [mode], storageClassName: '' };
    await api.create('/api/v1/persistentvolumes', {
      ...shape,
      kind: 'PersistentVolume',
      spec: { ...spec, capacity: resources, hostPath: { path: folder }, claimRef: { namespace, name } },
    });
    await api.create(`/api/v1/namespaces/${namespace}/persistentvolumeclaims`, {
      ...shape,
      kind: 'PersistentVolumeClaim',
      spec: { ...spec, resources: { requests: resources } },
    });
  }
}

const valuesOf = (config: object, network: { readonly url: string; readonly rootKey: string }) => ({
  existingSecret: 'secrets',
  config: {
    ...config,
    REBALANCE_SECONDS: 0.5,
    SOCKET_ENGINE_URL: network.url,
    SOCKET_ENGINE_ROOT_KEY: network.rootKey,
    SOCKET_ENGINE_CA_FILE: '/etc/network/authority.pem',
    WEBHOOK_ALLOW_PRIVATE_TARGETS: true,
    WEBHOOK_RETRY_DELAY_MS: 1000,
    RATE_LIMIT_GLOBAL: 'off',
    RATE_LIMIT_AUTH: 'off',
    RATE_LIMIT_MAX: 0,
  },
  backup: { enabled: true },
  // What people wait for has two replicas, as by default; the rest need not.
  services: { webhooks: { replicas: 1 } },
  podDefaults: {
    lostNodeSeconds: 5,
    extraVolumes: [{ name: 'network', secret: { secretName: 'network' } }],
    extraVolumeMounts: [{ name: 'network', mountPath: '/etc/network', readOnly: true }],
  },
});

const smallValues = (config: object) => ({
  existingSecret: 'secrets',
  config: {
    ...Object.fromEntries(Object.entries(config).filter(([name]) => !name.startsWith('OBJECT_STORE_'))),
    RATE_LIMIT_GLOBAL: 'off',
    RATE_LIMIT_AUTH: 'off',
    RATE_LIMIT_MAX: 0,
  },
  media: { existingClaim: 'media' },
  services: Object.fromEntries(serviceNames.map((name) => [name, { replicas: 1, minReadySeconds: 0 }])),
  simulator: { enabled: true },
});

/** Calls through the balancer, and a list of those that failed. */
function watched(balancer: Balancer): { gateway: ApiWorld['gateway']; failed: readonly string[] } {
  const failed: string[] = [];
  const call: ApiWorld['gateway']['call'] = async <Body>(method: string, path: string, body?: unknown, how = {}) => {
    const refused = balancer.refused.length;
    try {
      const answer: Answer<Body> = await callGateway(`${balancer.url}/api/v1${path}`, method, body, how);
      const { status } = answer;
      if (status >= 500 || status === 409) failed.push(`${method} ${path}: ${status} ${JSON.stringify(answer.body)}`);
      return answer;
    } catch (error) {
      failed.push(`${method} ${path}: ${String(error)} ${balancer.refused.slice(refused).join('; ')}`);
      throw error;
    }
  };
  return { gateway: { call }, failed };
}
