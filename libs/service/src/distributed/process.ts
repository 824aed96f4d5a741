import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { lastWordsMs } from '@messaging-gateway/error-tracking';
import { openErasureLog, openMediaStore, type ErasureLog, type MediaStore } from '@messaging-gateway/media';
import {
  createLogger,
  fileClock,
  isUnavailable,
  readSettingsTables,
  systemClock,
  type Clock,
  type Logger,
  type Metrics,
  type SettingsOf,
  type SettingsOfTables,
  type SettingsTables,
} from '@messaging-gateway/runtime';
import { startTracing, type Tracing } from '@messaging-gateway/tracing';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { dependenciesUp } from '../process/dependencies-up.ts';
import { lockData } from '../process/data-lock.ts';
import { endInOrder, type Ending } from '../process/ending.ts';
import { errorTrackingOf } from '../process/errors-told.ts';
import { sayFirst } from '../process/first-lines.ts';
import { logWarnings } from '../process/warnings.ts';
import { startHealthServer, type ProcessState } from '../process/health-server.ts';
import { placeOf } from '../waiting.ts';
import { distributedSettings } from '../settings/distributed-settings.ts';
import { openConnections, type Connections } from './connections.ts';

/** How long a start that was interrupted may take to notice, milliseconds. */
const interruptedMs = 5_000;
const startAgainMs = 1_000;

/** Parts that a process runs with. */
export interface ProcessContext {
  readonly connections: Connections;
  readonly databaseUrl: string;
  /** Aborted when the process begins to stop. */
  readonly signal: AbortSignal;
  readonly media: MediaStore;
  readonly erasureLog: ErasureLog;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
}

export interface ProcessPlan<Tables extends SettingsTables> {
  readonly name: string;
  /** Of health and metrics, unless HEALTH_PORT says otherwise. */
  readonly port: number;
  /** The settings beside those of every process. */
  readonly tables: Tables;
  /** Whether events are taken in or told. Default true. */
  readonly events?: boolean;
  /** How much longer its stop takes because it waits for others, milliseconds. Default: nothing. */
  stopDelayMs?(settings: SettingsOfTables<Tables>): number;
  /** Called when everything that is needed is there. @returns stops it, in order */
  start(context: ProcessContext, settings: SettingsOfTables<Tables>): Promise<() => Promise<void>>;
}

type Stop = () => Promise<unknown>;

/** Runs a process of a distributed installation until it is told to stop: see `ProcessPlan`. */
export async function runProcess<Tables extends SettingsTables>(plan: ProcessPlan<Tables>): Promise<void> {
  const settings = settingsOrEnd({ process: distributedSettings, ...plan.tables });
  const common = settings.process as SettingsOf<typeof distributedSettings>;
  const json = common.environment === 'production';
  const tracking = errorTrackingOf(common);
  const onError = tracking?.tell;
  const log = createLogger({ level: common.logLevel, json, service: plan.name, ...(onError && { onError }) });
  logWarnings(log);
  const brokers = plan.events === false ? 'rabbitmq' : 'rabbitmq kafka';
  sayFirst(log, { process: distributedSettings, ...plan.tables }, { mode: 'distributed', brokers });
  const running = new RunningProcess(plan, common, log);
  const stop = async (): Promise<void> => {
    await running.stop();
    await tracking?.stop();
  };
  const ending = endInOrder(stop, log, () => tracking?.stop(lastWordsMs));
  ending.allow(plan.stopDelayMs?.(settings) ?? 0);
  try {
    await running.start(plan.events ?? true, ending, (context) => plan.start(context, settings));
  } catch (error) {
    if (ending.signal.aborted) return;
    log.error('Not started', { reason: (error as Error).message });
    await ending.end(1);
  }
}

function settingsOrEnd<Tables extends SettingsTables>(tables: Tables): SettingsOfTables<Tables> {
  try {
    return readSettingsTables(tables, process.env);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

class RunningProcess {
  readonly #name: string;
  readonly #port: number;
  readonly #settings: SettingsOf<typeof distributedSettings>;
  readonly #log: Logger;
  readonly #stops: Stop[] = [];
  #connections: Connections | undefined;
  #starting: Promise<unknown> = Promise.resolve();
  #status: 'starting' | 'ready' | 'draining' = 'starting';

  constructor(
    { name, port }: Pick<ProcessPlan<SettingsTables>, 'name' | 'port'>,
    settings: SettingsOf<typeof distributedSettings>,
    log: Logger,
  ) {
    this.#name = name;
    this.#port = port;
    this.#settings = settings;
    this.#log = log;
  }

  start(events: boolean, ending: Ending, work: (context: ProcessContext) => Promise<Stop>): Promise<void> {
    const starting = this.#begin(events, ending, work);
    this.#starting = starting.catch(() => undefined);
    return starting;
  }

  /** Work, connections, lock of the data, health: in this order. What fails to stop holds up nothing else. */
  async stop(): Promise<void> {
    this.#status = 'draining';
    await Promise.race([this.#starting, delay(interruptedMs)]);
    for (const stop of this.#stops.splice(0).reverse()) {
      await stop().catch((error: unknown) => this.#log.error('Part not stopped', { reason: String(error) }));
    }
  }

  async #begin(events: boolean, ending: Ending, work: (context: ProcessContext) => Promise<Stop>): Promise<void> {
    const { databaseUrl, testClockFile, healthHost: host, healthPort } = this.#settings;
    const clock = testClockFile === undefined ? systemClock : fileClock(testClockFile);
    const metrics = new Registry();
    collectDefaultMetrics({ register: metrics });
    const port = healthPort ?? this.#port;
    const health = await startHealthServer({
      service: this.#name,
      port,
      host,
      metrics,
      state: () => this.#state(),
    });
    this.#stops.push(health.close);
    const tracing = await startTracing(this.#settings, { log: this.#log, instance: `${hostname()} ${process.pid}` });
    this.#stops.push(async () => tracing?.stop());
    const connections = openConnections({
      settings: this.#settings,
      name: this.#name,
      events,
      clock,
      log: this.#log,
    });
    if (this.#settings.brokerSecret === undefined)
      this.#log.warn('BROKER_SECRET is not set: whoever can write to RabbitMQ or Kafka is believed');
    this.#connections = connections;
    dependenciesUp(metrics, connections.checks);
    this.#stops.push(connections.close);
    await connections.reached(ending.signal);
    const media = await openMediaStore(this.#settings);
    if (this.#settings.storeEndpoint === undefined)
      this.#log.info('Media are files, in a folder that all services share', { folder: this.#settings.mediaDirectory });
    this.#stops.push(media.close);
    const erasureLog = await openErasureLog(this.#settings);
    this.#stops.push(erasureLog.close);
    this.#stops.push(await this.#untilStarted(ending.signal, () => this.#lock(ending)));
    this.#stops.push(
      await this.#untilStarted(ending.signal, () =>
        work({
          connections,
          databaseUrl,
          signal: ending.signal,
          media,
          erasureLog,
          clock,
          log: this.#log,
          metrics,
          tracing,
        }),
      ),
    );
    if (this.#status === 'starting') this.#status = 'ready';
    this.#log.info('Ready', { health: `http://${host}:${health.port}/ready`, pid: process.pid });
  }

  /** A database that goes away while the process starts is waited for like one that was never there. */
  async #untilStarted(signal: AbortSignal, start: () => Promise<Stop>): Promise<Stop> {
    for (;;) {
      signal.throwIfAborted();
      try {
        return await start();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        this.#log.warn('Start again: something that is needed has gone', { reason: (error as Error).message });
        await delay(startAgainMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #lock(ending: Ending): Promise<Stop> {
    const { databaseUrl: url } = this.#settings;
    const inUse = `A gateway in one process, or a restore, works on ${placeOf(url)}${new URL(url).pathname}: services in processes of their own cannot run beside it.`;
    return lockData({
      url,
      serving: 'together',
      inUse,
      onTaken: (fault) => {
        this.#log.error('Data taken by others', { reason: fault.message });
        void ending.end(1);
      },
    });
  }

  async #state(): Promise<ProcessState> {
    const checks = (await this.#connections?.checks()) ?? {};
    // Everything works without the cache, if slower.
    const isWhole = Object.entries(checks).every(([part, check]) => check === 'up' || part === 'cache');
    return { status: this.#status === 'ready' && !isWhole ? 'unavailable' : this.#status, checks };
  }
}
