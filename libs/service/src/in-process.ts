import {
  inProcessEventBus,
  inProcessOperationBus,
  postgresCommandQueue,
  type CommandQueue,
} from '@messaging-gateway/messaging';
import { openCommandDatabase } from './command-database.ts';
import type { ServiceModule } from './module.ts';
import type { Host, Ports } from './ports.ts';
import type { PreparedService } from './lifecycle.ts';
import { prepareService } from './run-service.ts';

/** A module with its settings. */
export interface ServiceToRun {
  readonly name: string;
  prepare(host: Host): Promise<PreparedService>;
}

export const service = <Settings>(module: ServiceModule<Settings>, settings: Settings): ServiceToRun => ({
  name: module.name,
  prepare: (host) => prepareService(module, settings, host),
});

export interface InProcessOptions extends Omit<Host, 'ports'> {
  /** Made by `inProcessPorts` before, so that the gateway can listen first; closed with the services. Default: made here. */
  readonly ports?: InProcessPorts;
  /** In tests: waits before each event, milliseconds, so that kinds overtake each other. */
  readonly shuffle?: () => number;
}

/** The adapters of a single process. */
export interface InProcessPorts extends Ports {
  close(): Promise<void>;
}

/** The ports of a single process on one PostgreSQL. */
export async function inProcessPorts({
  clock,
  log,
  databaseUrl,
  signal,
  shuffle,
}: Pick<InProcessOptions, 'clock' | 'log' | 'databaseUrl' | 'signal' | 'shuffle'>): Promise<InProcessPorts> {
  const pool = await openCommandDatabase(databaseUrl, log, signal);
  const commands: CommandQueue & { close(): Promise<void> } = postgresCommandQueue({ pool, schema: 'bus', clock, log });
  return {
    operations: inProcessOperationBus({ clock }),
    commands,
    holdMs: 0,
    events: inProcessEventBus({ clock, log, ...(shuffle && { shuffle }) }),
    close: async () => {
      await commands.close();
      await pool.end();
    },
  };
}

export interface RunningServices {
  readonly ports: Ports;
  readonly services: readonly PreparedService[];
  /** In the reverse order of the start: first every intake, then reactions and databases. */
  stop(): Promise<void>;
}

/**
 * Runs several services in this process over in-process buses and one PostgreSQL. They start in the order given, so
 * that those that others lean on come first, and stop in the reverse order.
 */
export async function runInProcess(
  services: readonly ServiceToRun[],
  options: InProcessOptions,
): Promise<RunningServices> {
  const ports = options.ports ?? (await inProcessPorts(options));
  const prepared: PreparedService[] = [];
  const stop = async (): Promise<void> => {
    const reverse = prepared.toReversed();
    for (const one of reverse) await one.stopIntake();
    await Promise.allSettled(reverse.map((one) => one.close()));
    await ports.close();
  };
  try {
    const outcomes = await Promise.allSettled(services.map((one) => one.prepare({ ...options, ports })));
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') prepared.push(outcome.value);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    for (const one of prepared) await one.start();
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { ports, services: prepared, stop };
}
