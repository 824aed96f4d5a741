import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@messaging-gateway/postgres';
import { callGateway, type Answer, type CallOptions } from '../call-gateway.ts';
import { Replica } from './replica.ts';
import type { ServiceName } from '@messaging-gateway/contracts';
import { servicesToStart } from './service-names.ts';

/** Where the servers are. */
export interface DistributedServers {
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  readonly brokers: readonly string[];
  readonly cacheUrl: string;
  readonly topicPrefix?: string;
}

export interface DistributedOptions extends DistributedServers {
  /** Of each service, unless told otherwise. Default 1. */
  readonly replicas?: number;
  readonly replicasOf?: Readonly<Partial<Record<ServiceName, number>>>;
  /** Services with one replica more, the last, which is not started yet. */
  readonly spare?: readonly ServiceName[];
  /** Beside the addresses and secrets, for example `SOCKET_ENGINE_URL`. Default `ENGINE_HOST`: `worker`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Folder of the version that runs. Default: this one. */
  readonly root?: string;
  /**
   * Folder of another version: each service gets one replica more, the last, which is not started yet. A service that one
   * of both versions does not have gets none of that version.
   */
  readonly otherRoot?: string;
  /** How long all of them together may take until they are ready, milliseconds. Default 300 000. */
  readonly readyMs?: number;
}

/** A distributed installation: each replica of each service a process of its own, on free ports. */
export interface Distributed {
  /** `http://127.0.0.1:<port>` of each gateway. */
  readonly gateways: readonly string[];
  /** Folder of the logs, `<service>-<replica>.log`; removed by `stop`. */
  readonly directory: string;
  replica(service: ServiceName, replica?: number): Replica;
  readonly replicas: readonly Replica[];
  /** Calls a route below `/api/v1` of one gateway. */
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions & { readonly gateway?: number },
  ): Promise<Answer<Body>>;
  /** SIGKILL, and waits for the end. */
  kill(service: ServiceName, replica?: number): Promise<void>;
  /** SIGTERM, and waits for the end. @returns the exit code */
  terminate(service: ServiceName, replica?: number): Promise<number | null>;
  /** Starts a replica again after its end, and waits until it is ready. */
  start(service: ServiceName, replica?: number, changed?: Readonly<Record<string, string>>): Promise<void>;
  /** Resolves when every replica and every gateway says that it is ready. */
  ready(): Promise<void>;
  /** The last lines of every log: print it when a test fails. */
  logs(lines?: number): string;
  /** SIGTERM to all. @returns the exit codes, by `<service>-<replica>`; those that did not run are left out */
  stop(): Promise<Readonly<Record<string, number | null>>>;
}

const secrets = {
  BROKER_SECRET: 'k2Zt8mV3xR1bN7wY5cF9hJ2sD6gL4pE0',
  JWT_SECRET: 'q8ZtV3mK1xR7bN5wY9cF2hJ6sD4gL0pE',
  JWT_REFRESH_SECRET: 'T6uI2oP9aS4dF7gH1jK5lZ8xC3vB0nM.',
  ENCRYPTION_KEY: 'W1eR5tY9uI3oP7aS2dF6gH0jK4lZ8xC-',
};

/**
 * Starts all services against given servers, and waits until they are ready.
 *
 * @throws Error with the logs when one of them does not become ready
 */
export async function startDistributed(options: DistributedOptions): Promise<Distributed> {
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-distributed-'));
  const environment = environmentOf(options, directory);
  const replicas: Replica[] = [];
  const gateways: string[] = [];
  const first: Replica[] = [];
  for (const service of servicesToStart(environment['ENGINE_HOST'])) {
    const count = options.replicasOf?.[service] ?? options.replicas ?? 1;
    const isMore = options.otherRoot !== undefined || options.spare?.includes(service) === true;
    for (let n = 0; n < count + (isMore ? 1 : 0); n += 1) {
      const root = n === count ? (options.otherRoot ?? options.root) : options.root;
      if (root !== undefined && !existsSync(join(root, `services/${service}/src/main.ts`))) continue;
      const healthPort = await freePort();
      const own: Record<string, string> = { HEALTH_PORT: String(healthPort) };
      if (service === 'gateway') {
        own['API_PORT'] = String(await freePort());
        gateways.push(`http://127.0.0.1:${own['API_PORT']}`);
      }
      const logFile = join(directory, `${service}-${n}.log`);
      const replica = new Replica({ service, environment: { ...environment, ...own }, logFile, healthPort, root });
      replicas.push(replica);
      if (n < count) first.push(replica);
    }
  }
  const distributed = handleOf(replicas, gateways, directory, options.readyMs ?? 300_000);
  for (const one of first) one.spawn();
  try {
    await distributed.ready();
    return distributed;
  } catch (error) {
    const logs = distributed.logs();
    await distributed.stop();
    throw new Error(`${(error as Error).message}\n${logs}`, { cause: error });
  }
}

/** The environment of every process of an installation, but for its ports. */
export function environmentOf(options: DistributedOptions, directory: string): Record<string, string> {
  const { databaseUrl, amqpUrl, brokers, cacheUrl, topicPrefix } = options;
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    // A third less until it is ready.
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../../node_modules/.cache/compile', import.meta.url)),
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    ...secrets,
    DATABASE_URL: databaseUrl,
    AMQP_URL: amqpUrl,
    KAFKA_BROKERS: brokers.join(','),
    CACHE_URL: cacheUrl,
    ...(topicPrefix !== undefined && { KAFKA_TOPIC_PREFIX: topicPrefix }),
    KAFKA_PARTITIONS: '4',
    ENGINE_HOST: 'worker',
    SESSIONS_DIR: join(directory, 'sessions'),
    MEDIA_DIR: join(directory, 'media'),
    HEALTH_HOST: '127.0.0.1',
    API_HOST: '127.0.0.1',
    ...options.environment,
  };
}

function handleOf(
  replicas: readonly Replica[],
  gateways: readonly string[],
  directory: string,
  readyMs: number,
): Distributed {
  const replica = (service: ServiceName, n = 0): Replica => {
    const found = replicas.filter((one) => one.service === service)[n];
    if (found === undefined) throw new Error(`There is no replica ${n} of ${service}.`);
    return found;
  };
  return {
    gateways,
    directory,
    replicas,
    replica,
    call: (method, path, body, { gateway = 0, ...how } = {}) =>
      callGateway(`${gateways[gateway]}/api/v1${path}`, method, body, how),
    kill: async (service, n) => void (await replica(service, n).end('SIGKILL')),
    terminate: (service, n) => replica(service, n).end('SIGTERM'),
    start: async (service, n, changed) => {
      const one = replica(service, n);
      one.spawn(changed);
      await one.ready(readyMs);
    },
    ready: async () => {
      await Promise.all(replicas.filter((one) => one.wasStarted).map((one) => one.ready(readyMs)));
      const started = gateways.filter((_, n) => replica('gateway', n).wasStarted);
      await Promise.all(started.map((host) => gatewayReady(host, readyMs)));
    },
    logs: (lines = 60) => replicas.map((one) => lastLines(one, lines)).join('\n'),
    stop: async () => {
      const running = replicas.filter((one) => one.isRunning);
      const codes = await Promise.all(running.map(async (one) => [nameOf(one), await one.end('SIGTERM')] as const));
      rmSync(directory, { recursive: true, force: true });
      return Object.fromEntries(codes);
    },
  };
}

const nameOf = ({ logFile }: Replica): string => (logFile.split('/').at(-1) ?? '').replace('.log', '');

function lastLines(one: Replica, lines: number): string {
  const text = readFileSync(one.logFile, { encoding: 'utf8', flag: 'a+' }).trimEnd().split('\n').slice(-lines);
  return [`--- ${nameOf(one)} (pid ${one.pid})`, ...text].join('\n');
}

/** A gateway is ready when every service answers it. */
async function gatewayReady(host: string, timeoutMs: number): Promise<void> {
  let last = 'no answer';
  for (const until = performance.now() + timeoutMs; performance.now() < until;) {
    const answer = await fetch(`${host}/api/v1/health/ready`).catch(() => undefined);
    if (answer !== undefined) last = await answer.text();
    // It stays ready when a part goes away: all of them are meant here.
    if (answer?.status === 200 && !/"(?!cache)\w+":"down"/.test(last)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The gateway at ${host} was not ready in ${timeoutMs} ms: ${last}`);
}
