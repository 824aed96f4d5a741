import { setTimeout as wait } from 'node:timers/promises';
import { openRedis, type Redis } from '@messaging-gateway/redis';
import { silentLogger } from '@messaging-gateway/runtime';
import { redisThrottleStore } from '../index.ts';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

/** Longer than usual: a pause of the machine is no outage. */
const commandTimeoutMs = 5000;

/** Two gateways on one database, one Redis and one bus. */
export interface Replicas {
  readonly one: TestGateway;
  readonly two: TestGateway;
  /** As the first of them sees it. */
  readonly redis: Redis;
  /** Waits until both see Redis so. */
  redisIs(state: ReturnType<Redis['state']>): Promise<void>;
  stop(): Promise<void>;
}

export interface ReplicasOptions {
  readonly databaseUrl: string;
  /** Of each gateway's way to Redis, where they differ. */
  readonly redisUrl: string | readonly [string, string];
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startReplicas({ databaseUrl, redisUrl, environment = {} }: ReplicasOptions): Promise<Replicas> {
  const urls = typeof redisUrl === 'string' ? ([redisUrl, redisUrl] as const) : redisUrl;
  const caches = urls.map((url) => openRedis({ url, log: silentLogger, commandTimeoutMs })) as [Redis, Redis];
  const optionsOf = (redis: Redis) => ({
    databaseUrl,
    environment: { TRUST_PROXY: '1', ...environment },
    options: { cache: redis.cache, throttleStore: redisThrottleStore(redis) },
  });
  const one = await startTestGateway(optionsOf(caches[0]));
  const two = await startTestGateway({ ...optionsOf(caches[1]), beside: one });
  return {
    one,
    two,
    redis: caches[0],
    redisIs: async (state) => {
      const until = performance.now() + 120_000;
      while (caches.some((redis) => redis.state() !== state)) {
        if (performance.now() > until) throw new Error(`Redis was never ${state}.`);
        await wait(10);
      }
    },
    stop: async () => {
      await Promise.all([one.stop(), two.stop()]);
      await Promise.all(caches.map((redis) => redis.close()));
    },
  };
}
