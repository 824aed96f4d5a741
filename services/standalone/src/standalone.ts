import { ownerNames } from '@messaging-gateway/contracts';
import {
  builtPages,
  compileChecks,
  createGateway,
  openGatewayPool,
  redisThrottleStore,
} from '@messaging-gateway/gateway';
import type { ReadinessState } from '@messaging-gateway/gateway';
import { openErasureLog, openMediaStore } from '@messaging-gateway/media';
import type { Redis } from '@messaging-gateway/redis';
import {
  createLogger,
  encryptionKeys,
  fileClock,
  memoryCache,
  systemClock,
  type Logger,
} from '@messaging-gateway/runtime';
import { dependenciesUp, explain, inProcessPorts, redisAccess, runInProcess } from '@messaging-gateway/service';
import type { RunningServices } from '@messaging-gateway/service';
import { startTracing } from '@messaging-gateway/tracing';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { rowOf } from '../../registry.ts';
import type { Settings } from './config.ts';
import { openDatabase } from './database.ts';
import { servicesToRun } from './services.ts';

/** The whole gateway in this process. */
export interface Standalone {
  readonly port: number;
  /** Stops in order: HTTP, services, database. What runs is finished, links stay. */
  stop(): Promise<void>;
}

/** What a start has to know of its process. */
interface Around {
  /** Aborted when the process begins to stop. */
  readonly signal?: AbortSignal;
  /** Told of errors that are logged. */
  readonly onError?: Logger['error'];
}

/**
 * Starts everything: database, HTTP (which says 503 until all is there), services.
 *
 * @throws Error with a line for the operator
 */
export async function startStandalone(settings: Settings, { signal, onError }: Around = {}): Promise<Standalone> {
  const { standalone, gateway, secrets } = settings;
  const log = loggerOf(settings, onError);
  const clock = standalone.testClockFile === undefined ? systemClock : fileClock(standalone.testClockFile);
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse())
      await one().catch((error: unknown) => log.error('Part not stopped', { reason: String(error) }));
  };
  try {
    const opening = openDatabase(standalone, secrets.postgresPassword, { signal, log });
    const [database] = await Promise.all([opening, compileChecks(gateway)]);
    const pool = openGatewayPool(database.url, log);
    stops.push(database.close, () => pool.end());
    const redis = await redisAt(standalone.cacheUrl, log);
    stops.push(async () => redis?.close());
    const cache = redis?.cache ?? memoryCache(clock);
    const tracing = await startTracing(standalone, { log });
    stops.push(async () => tracing?.stop());
    const media = await openMediaStore(standalone);
    const erasureLog = await openErasureLog(standalone);
    stops.push(media.close, erasureLog.close);
    const host = { clock, log, metrics, tracing, cache, media, databaseUrl: database.url, signal };
    const ports = inProcessPorts(host);
    let running: RunningServices | undefined;
    const ready = await readiness(settings, pool, redis, () => running !== undefined);
    dependenciesUp(metrics, async () => {
      const { database: isThere, cache: isCached } = await ready();
      return { database: isThere ? 'up' : 'down', ...(redis !== undefined && { cache: isCached ? 'up' : 'down' }) };
    });
    const http = await createGateway({
      ...host,
      settings: gateway,
      operations: ports.operations,
      database: pool,
      ready,
      alone: true,
      pages: builtPages(gateway),
      ...(redis !== undefined && { throttleStore: redisThrottleStore(redis) }),
    });
    stops.push(() => http.stop(async () => running?.stop()));
    const encryption = encryptionKeys(standalone.encryptionKey, standalone.previousEncryptionKeys);
    // A journal must be able to take in a receipt for as long as outbound does.
    const retentionDays = Math.max(settings.webhooks.eventRetentionDays, settings.outbound.receiptWindowDays);
    running = await runInProcess(await servicesToRun(settings), {
      ...host,
      encryption,
      erasureLog,
      retentionDays,
      ports,
    });
    return { port: http.port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const loggerOf = ({ standalone, gateway }: Settings, onError: Logger['error'] | undefined): Logger =>
  createLogger({
    level: standalone.logLevel,
    json: gateway.environment === 'production',
    ...(onError && { onError }),
  });

/** State of the parts, for the readiness probe. */
async function readiness(
  { sessions, outbound }: Settings,
  pool: { query(text: string): Promise<unknown> },
  redis: Redis | undefined,
  isServing: () => boolean,
): Promise<() => Promise<ReadinessState>> {
  const about = {
    ...(await rowOf('sessions').module()).about?.(sessions),
    ...(await rowOf('outbound').module()).about?.(outbound),
  };
  return async () => ({
    database: await pool.query('SELECT 1').then(
      () => true,
      () => false,
    ),
    broker: true,
    cache: redis === undefined || redis.state() === 'connected',
    services: isServing(),
    owners: Object.fromEntries(ownerNames.map((name) => [name, isServing() ? 'up' : 'down'])),
    ...about,
  });
}

/** Only who uses Redis pays for its client, which is a tenth of all modules. */
async function redisAt(url: string | undefined, log: Logger): Promise<Redis | undefined> {
  if (url === undefined) return undefined;
  const { openRedis } = await import('@messaging-gateway/redis');
  return openRedis({ url, log, explain: explain(redisAccess(url)) });
}
