import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { simulatorControl } from '@messaging-gateway/network-simulator';
import type { SimulatorControl } from '@messaging-gateway/network-simulator';
import { freePort } from '@messaging-gateway/postgres';

const simulatorMain = fileURLToPath(new URL('../../infra/network-simulator/src/main.ts', import.meta.url));

/** The simulated network in a process of its own, so that its cost is not the gateway's. */
export interface SimulatorProcess {
  readonly control: SimulatorControl;
  readonly controlUrl: string;
  readonly url: string;
  readonly rootKey: string;
  readonly caFile: string;
  stop(): void;
}

/** @param seed keys and LIDs are the same for the same seed; default: new ones */
export async function startSimulatorProcess(seed?: string): Promise<SimulatorProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', simulatorMain], {
    env: {
      ...process.env,
      SIMULATOR_PORT: String(port),
      SIMULATOR_MEDIA_PORT: '0',
      ...(seed !== undefined && { SIMULATOR_SEED: seed }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { rootKey, caFile } = await new Promise<{ rootKey: string; caFile: string }>((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (output.length < 10_000) output += chunk.toString();
      const [, rootKey, caFile] = /SOCKET_ENGINE_ROOT_KEY=(\w+) SOCKET_ENGINE_CA_FILE=(\S+)\n/.exec(output) ?? [];
      if (rootKey !== undefined && caFile !== undefined) resolve({ rootKey, caFile });
    });
  });
  const controlUrl = `http://127.0.0.1:${port}`;
  return {
    control: simulatorControl(controlUrl),
    controlUrl,
    url: `ws://127.0.0.1:${port}/ws/chat`,
    rootKey,
    caFile,
    stop: () => child.kill(),
  };
}
