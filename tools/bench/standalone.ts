import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGatewayProcess } from '@messaging-gateway/testing';
import { commitsOf } from './commits.ts';
import { measuredSettings, type Installation } from './installation.ts';
import { cpuMs, residentMiB, treeCpuMs } from './process-cost.ts';
import type { SimulatorProcess } from './simulator-process.ts';

/** One process on embedded parts. */
export interface Standalone extends Installation {
  readonly startUpMs: number;
  /** Its `DATA_DIR`. */
  readonly directory: string;
  /** Ends it and starts it again on the same data, after what is done in between. */
  again(between?: () => Promise<void>): Promise<Standalone>;
  /** Processor time of gateway and PostgreSQL until now, milliseconds. */
  cpuMs(): number;
  /** Ends it, and keeps its data. */
  stop(): Promise<void>;
}

/**
 * @param parent folder that the data is kept in, until the end
 * @param version folder of the project that is run; default: this one
 */
export async function installStandalone(
  network: SimulatorProcess,
  parent = tmpdir(),
  version?: string,
): Promise<Standalone> {
  return startStandalone(network, mkdtempSync(join(parent, 'messaging-gateway-bench-')), version);
}

/** @param directory `DATA_DIR`, with what an earlier one has left there */
export async function startStandalone(
  network: SimulatorProcess,
  directory: string,
  version?: string,
): Promise<Standalone> {
  const begun = performance.now();
  const environment = {
    DATA_DIR: directory,
    ...measuredSettings(network),
    ...(process.env['NODE_EXTRA_CA_CERTS'] !== undefined && {
      NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
    }),
    ...(process.env['BENCH_NODE_OPTIONS'] !== undefined && { NODE_OPTIONS: process.env['BENCH_NODE_OPTIONS'] }),
  };
  const gateway = await startGatewayProcess(environment, version);
  const startUpMs = performance.now() - begun;
  const { postgresPassword } = JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8')) as {
    postgresPassword: string;
  };
  const lines = readFileSync(join(directory, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  const postgresPid = Number(lines[0]);
  const databaseUrl = `postgresql://gateway:${postgresPassword}@127.0.0.1:${lines[3]}/gateway`;
  return {
    host: gateway.host,
    call: gateway.call,
    startUpMs,
    directory,
    cost: async () => ({
      services: cpuMs(gateway.pid),
      postgres: treeCpuMs(postgresPid),
      brokers: 0,
      commits: await commitsOf(databaseUrl),
    }),
    cpuMs: () => cpuMs(gateway.pid) + treeCpuMs(postgresPid),
    residentMiB: () => residentMiB(gateway.pid),
    abandon: () => gateway.signal('SIGTERM'),
    again: async (between) => {
      await gateway.stop();
      await between?.();
      return startStandalone(network, directory, version);
    },
    stop: async () => void (await gateway.stop()),
    end: async () => {
      await gateway.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
