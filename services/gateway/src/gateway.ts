import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { operations as catalogue, type Operation } from '@messaging-gateway/contracts';
import type { PagesHandler } from '@messaging-gateway/admin-pages';
import type { MediaStore } from '@messaging-gateway/media';
import { Refused, type OperationBus } from '@messaging-gateway/messaging';
import { sealsOf, type Cache, type Clock, type Logger, type Metrics } from '@messaging-gateway/runtime';
import { jobsRunning } from '@messaging-gateway/service';
import { tracedOperations, type Spans, type Tracing } from '@messaging-gateway/tracing';
import express, { type Express, type RequestHandler } from 'express';
import type { Pool } from 'pg';
import { CacheTrust, Credentials, accessTokenReader } from './access/credentials.ts';
import { authentication } from './access/authenticate.ts';
import type { GatewaySettings } from './config.ts';
import { Dispatcher, RecentMarks } from './dispatch/dispatcher.ts';
import { documentation } from './documentation/documentation.ts';
import { startPage } from './documentation/start.ts';
import { OpenConnections } from './drain.ts';
import { ownOperations } from './health/own-operations.ts';
import { Readiness, type AskReadiness } from './health/readiness.ts';
import { crossOrigin, protectiveHeaders } from './http/browser-headers.ts';
import { demoGuard } from './http/demo-mode.ts';
import { errorHandler } from './http/errors.ts';
import { compileInputChecks } from './http/input.ts';
import { observation, tracing, warnOfProxy } from './http/observation.ts';
import { createRoutes } from './http/routes.ts';
import { OpenStreams } from './http/server-sent-events.ts';
import { answerUnreadable } from './http/unreadable-requests.ts';
import { Idempotency } from './idempotency/idempotency.ts';
import { KeyStore } from './idempotency/key-store.ts';
import { prepareSchema } from './idempotency/schema.ts';
import { answerSeal } from './idempotency/sealed-answer.ts';
import { MediaQuota } from './media/media-quota.ts';
import { mediaOperations } from './media/media-operations.ts';
import { tidying } from './media/tidying.ts';
import { linkPage } from './link-page/link-page.ts';
import { listen, portOf } from './listen.ts';
import { startMetricsServer } from './metrics-server.ts';
import { beginRequest } from './request/request-state.ts';
import { throttleReport } from './throttles/throttle-report.ts';
import { createThrottles, memoryThrottleStore, type ThrottleStore, type Throttles } from './throttles/throttle.ts';

export interface GatewayOptions {
  readonly settings: GatewaySettings;
  readonly operations: OperationBus;
  readonly cache: Cache;
  readonly media: MediaStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Absent: nothing is traced, and nothing is spent on it. */
  readonly tracing?: Tracing | undefined;
  /** The gateway's own schema, `gateway`, is made here. */
  readonly database: Pool;
  /** Aborted when the process begins to stop. */
  readonly signal?: AbortSignal | undefined;
  readonly ready: AskReadiness;
  /** Whether nobody else serves this database (standalone): requests that ran when the last process died are known to be over. */
  readonly alone?: boolean;
  /** The web UI, where it has been built. */
  readonly pages?: PagesHandler | undefined;
  /** Where throttles count. Default: in this process. */
  readonly throttleStore?: ThrottleStore;
  /** Routes. Default: all contracts. */
  readonly catalogue?: readonly Operation[];
}

export interface Gateway {
  readonly port: number;
  /** Where Prometheus asks, when METRICS_PORT is set. */
  readonly metricsPort: number | undefined;
  /**
   * Says that it is not ready any more, takes no new requests, finishes those that run.
   *
   * @param owners stops those who answer, where they are in this process: see `OpenConnections`
   */
  stop(owners?: () => Promise<void>): Promise<void>;
}

const prefix = '/api/v1';
/** The API does not wait longer for identity before it listens, milliseconds. */
const firstTrustMs = 500;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/**
 * Compiles what requests are checked with. Once is enough: who starts a gateway can do it while other parts start. Tests
 * ask few of the routes: there each one does it with its first request.
 */
export async function compileChecks({ environment }: GatewaySettings, operations = catalogue): Promise<void> {
  if (environment !== 'test') await compileInputChecks(operations);
}

/**
 * Starts the HTTP server of the API.
 *
 * @throws Error with a line for the operator when a port is taken
 */
export async function createGateway(given: GatewayOptions): Promise<Gateway> {
  const spans = given.tracing?.of('gateway');
  const options = spans === undefined ? given : { ...given, operations: tracedOperations(given.operations, spans) };
  const { settings, database, clock, log } = options;
  await Promise.all([prepareSchema(options), compileChecks(settings, options.catalogue)]);
  const keys = new KeyStore({ database, clock, log, seal: answerSeal(settings.accessSecret) });
  if (options.alone === true) await keys.releaseAll(given.signal);
  const throttles = createThrottles(settings, options.throttleStore ?? memoryThrottleStore, throttleReport(log, clock));
  const readiness = new Readiness(options.ready);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const idempotency = new Idempotency({ store: keys, clock, log });
  const trust = new CacheTrust({ bus: given.operations, clock });
  const { uploadRetentionDays: days, mediaQuota: mebibytes } = settings;
  const quota = new MediaQuota({ database, clock, mebibytes, days });
  const parts = { throttles, readiness, idempotency, quota, trust, spans, stopping: stopping.signal };
  const { app, dispatcher } = assemble(options, parts);
  const server = createServer(app);
  const connections = new OpenConnections(server);
  server.keepAliveTimeout = 65_000;
  answerUnreadable(server);
  const jobs = jobsRunning([keys.upkeep, tidying({ media: options.media, quota, clock, log, days }), trust.asking], {
    service: 'gateway',
    clock,
    log,
    metrics: options.metrics,
    pool: database,
  });
  const release = async (): Promise<void> => {
    await jobs.stop();
    keys.stop();
    throttles.stop();
    dispatcher.stop();
  };
  try {
    await Promise.race([jobs.start(), new Promise((resolve) => setTimeout(resolve, firstTrustMs).unref())]);
    const metricsServer =
      settings.metricsPort === undefined
        ? undefined
        : await startMetricsServer(options.metrics, settings.metricsPort, settings.host);
    const port = await listen(server, settings.port, settings.host, 'API_PORT').catch(async (error: unknown) => {
      metricsServer?.server.close();
      throw error;
    });
    return {
      port,
      metricsPort: metricsServer && portOf(metricsServer.server),
      stop: async (owners) => {
        readiness.draining = true;
        await new Promise((resolve) => setTimeout(resolve, settings.shutdownDelaySeconds * 1000));
        stopping.abort();
        await Promise.all([connections.drain(owners), metricsServer?.connections.drain()]);
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

function dispatcherOf(options: GatewayOptions, readiness: Readiness, marks: RecentMarks): Dispatcher {
  const { settings, operations: bus, clock, log, metrics } = options;
  const own = new Map([...ownOperations(readiness, version, settings.publicUrl), ...mediaOperations(bus)]);
  return new Dispatcher({ bus, clock, log, metrics, marks, own, settings });
}

interface Parts {
  readonly throttles: Throttles;
  readonly readiness: Readiness;
  readonly idempotency: Idempotency;
  readonly quota: MediaQuota;
  readonly trust: Pick<CacheTrust, 'generation'>;
  readonly spans: Spans | undefined;
  readonly stopping: AbortSignal;
}

/** The order in which a request passes: observed, protected, throttled, demo mode, then its route. */
function assemble(options: GatewayOptions, parts: Parts): { readonly app: Express; readonly dispatcher: Dispatcher } {
  const { settings, clock, log, cache, media, operations: bus, catalogue: operations = catalogue } = options;
  const { throttles, readiness, idempotency, quota, trust, spans, stopping } = parts;
  const marks = new RecentMarks(cache, clock);
  const dispatcher = dispatcherOf(options, readiness, marks);
  const credentials = new Credentials({ bus, cache, trust, seals: sealsOf(settings.accessSecret), clock, log });
  const readToken = accessTokenReader(settings.accessSecret, clock);
  const authenticate = authentication({ credentials, readToken, marks, clock, origins: settings.corsOrigins });
  const checked = settings.environment === 'test';
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  app.set('query parser', 'simple').set('trust proxy', settings.trustProxy);
  app.use(beginRequest, observation(options.metrics, log), closingWhile(stopping));
  if (settings.trustProxy === 0) app.use(warnOfProxy(log));
  if (spans !== undefined) app.use(tracing(spans, prefix));
  // What everybody may have costs no tries, and brings its own headers.
  if (options.pages !== undefined) app.use(options.pages);
  app.use(protectiveHeaders(), crossOrigin(settings.corsOrigins), ...throttles.global);
  app.use(startPage(settings, version), linkPage());
  app.use(
    '/api',
    documentation(() => readiness.hasStarted()),
  );
  if (settings.demoMode) app.use(demoGuard(operations, prefix));
  app.use(
    prefix,
    createRoutes({
      operations,
      throttles,
      dispatcher,
      idempotency,
      authenticate,
      media,
      quota,
      streams: new OpenStreams(),
      clock,
      log,
      checked,
      stopping,
    }),
  );
  app.use(() => {
    throw new Refused('NOT_FOUND', 'There is no such path.');
  });
  app.use(errorHandler(log));
  return { app, dispatcher };
}

/** Lets connections end with their answer once the gateway stops. */
const closingWhile =
  (stopping: AbortSignal): RequestHandler =>
  (_request, response, next) => {
    if (stopping.aborted) response.setHeader('Connection', 'close');
    next();
  };
