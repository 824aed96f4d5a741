import { inProcessEventBus, inProcessOperationBus } from '@messaging-gateway/messaging';
import type { ServiceModule } from './module.ts';
import type { Host, Ports } from './ports.ts';
import type { PreparedService } from './lifecycle.ts';
import { prepareService } from './run-service.ts';
import { whileSlow } from './slow-database.ts';
import { placeOf } from './waiting.ts';

/** A module with its settings. */
export interface ServiceToRun {
  readonly name: string;
  prepare(host: Host): Promise<PreparedService>;
}

export const withSettings = <Settings>(module: ServiceModule<Settings>, settings: Settings): ServiceToRun => ({
  name: module.name,
  prepare: (host) => prepareService(module, settings, host),
});

export interface InProcessOptions extends Omit<Host, 'ports'> {
  /** Made by `inProcessPorts` before, so that the gateway can listen first. Default: made here. */
  readonly ports?: Ports;
  /** In tests: waits before each event, milliseconds, so that kinds overtake each other. */
  readonly shuffle?: () => number;
}

/** The ports of a single process. */
export const inProcessPorts = ({
  clock,
  log,
  shuffle,
}: Pick<InProcessOptions, 'clock' | 'log' | 'shuffle'>): Ports => ({
  operations: inProcessOperationBus({ clock }),
  holdMs: 0,
  events: inProcessEventBus({ clock, log, ...(shuffle && { shuffle }) }),
});

export interface RunningServices {
  readonly ports: Ports;
  readonly services: readonly PreparedService[];
  /** In the reverse order of the start: first every intake, then reactions and databases. */
  stop(): Promise<void>;
}

/**
 * Runs several services in this process over in-process buses and one PostgreSQL. They start in the order given, so
 * that those that others lean on come first, and stop in the reverse order. A database that is slow is waited for: what had
 * started by then stops, and all begins again.
 */
export function runInProcess(services: readonly ServiceToRun[], options: InProcessOptions): Promise<RunningServices> {
  const { databaseUrl, log, signal } = options;
  const host = { ...options, ports: options.ports ?? inProcessPorts(options) };
  return whileSlow(() => runAll(services, host), { what: `PostgreSQL at ${placeOf(databaseUrl)}`, log, signal });
}

async function runAll(services: readonly ServiceToRun[], host: Host): Promise<RunningServices> {
  const prepared: PreparedService[] = [];
  const measured = new Set(host.metrics.getMetricsAsArray());
  const stop = async (): Promise<void> => {
    const reverse = prepared.toReversed();
    for (const one of reverse) await one.stopIntake();
    await Promise.allSettled(reverse.map((one) => one.close()));
  };
  try {
    const outcomes = await Promise.allSettled(services.map((one) => one.prepare(host)));
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') prepared.push(outcome.value);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    for (const one of prepared) await one.start();
  } catch (error) {
    await stop().catch(() => undefined);
    for (const metric of host.metrics.getMetricsAsArray())
      if (!measured.has(metric)) host.metrics.removeSingleMetric(metric.name);
    throw error;
  }
  return { ports: host.ports, services: prepared, stop };
}
