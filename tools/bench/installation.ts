import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { simulatorControl } from '@messaging-gateway/network-simulator';
import type { SimulatorControl } from '@messaging-gateway/network-simulator';
import { freePort } from '@messaging-gateway/postgres';
import { startGatewayProcess } from '@messaging-gateway/testing';
import type { GatewayProcess } from '@messaging-gateway/testing';
import pg from 'pg';

const simulatorMain = fileURLToPath(new URL('../../infra/network-simulator/src/main.ts', import.meta.url));

/** The simulated network in a process of its own, so that its cost is not the gateway's. */
export interface SimulatorProcess {
  readonly control: SimulatorControl;
  readonly controlUrl: string;
  readonly url: string;
  readonly rootKey: string;
  stop(): void;
}

export async function startSimulatorProcess(): Promise<SimulatorProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', simulatorMain], {
    env: { ...process.env, SIMULATOR_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const rootKey = await new Promise<string>((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (output.length < 10_000) output += chunk.toString();
      const found = /SOCKET_ENGINE_ROOT_KEY=(\w+)/.exec(output);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
  });
  const controlUrl = `http://127.0.0.1:${port}`;
  return {
    control: simulatorControl(controlUrl),
    controlUrl,
    url: `ws://127.0.0.1:${port}/ws/chat`,
    rootKey,
    stop: () => child.kill(),
  };
}

/** A gateway with an empty data folder, throttles off. */
export interface Installation {
  readonly gateway: GatewayProcess;
  readonly startUpMs: number;
  readonly postgres: { readonly pid: number; query(text: string): Promise<Record<string, unknown>[]> };
  /** Ends it and starts it again on the same data. */
  again(): Promise<Installation>;
  end(): Promise<void>;
}

export async function install(network: SimulatorProcess): Promise<Installation> {
  return start(network, mkdtempSync(join(tmpdir(), 'messaging-gateway-bench-')));
}

async function start(network: SimulatorProcess, directory: string): Promise<Installation> {
  const begun = performance.now();
  const gateway = await startGatewayProcess({
    DATA_DIR: directory,
    SOCKET_ENGINE_URL: network.url,
    SOCKET_ENGINE_ROOT_KEY: network.rootKey,
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMIT_GLOBAL: 'off',
    RATE_LIMIT_AUTH: 'off',
    RATE_LIMIT_MAX: '0',
    LOG_LEVEL: 'warn',
    ...(process.env['BENCH_NODE_OPTIONS'] !== undefined && { NODE_OPTIONS: process.env['BENCH_NODE_OPTIONS'] }),
  });
  const startUpMs = performance.now() - begun;
  const { postgresPassword } = JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8')) as {
    postgresPassword: string;
  };
  const lines = readFileSync(join(directory, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  const url = `postgresql://gateway:${postgresPassword}@127.0.0.1:${lines[3]}/gateway`;
  const query = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    gateway,
    startUpMs,
    postgres: { pid: Number(lines[0]), query },
    again: async () => {
      await gateway.stop();
      return start(network, directory);
    },
    end: async () => {
      await gateway.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
