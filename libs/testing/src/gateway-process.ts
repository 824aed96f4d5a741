import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@messaging-gateway/postgres';
import { callGateway, type Answer, type CallOptions } from './call-gateway.ts';

const thisVersion = fileURLToPath(new URL('../../..', import.meta.url));

/** How long a start may take on a busy machine, milliseconds. */
const readyMs = 180_000;

/** A standalone gateway in a process of its own, as a user runs it. */
export interface GatewayProcess {
  /** `http://127.0.0.1:<port>` */
  readonly host: string;
  readonly pid: number;
  /** The output of the process until now. */
  output(): string;
  /** Calls a route below `/api/v1`. */
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer<Body>>;
  /** Sends a signal, and does not wait. Nothing happens when it has ended. */
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, and waits for the end. @returns the exit code */
  stop(): Promise<number | null>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
}

/**
 * Starts a gateway and waits until it is ready.
 *
 * @param environment `DATA_DIR` at least; `API_PORT` is chosen when absent
 * @param version folder of the project that is run
 * @throws Error with its output when it ends before it is ready
 */
export async function startGatewayProcess(
  environment: Readonly<Record<string, string>>,
  version = thisVersion,
): Promise<GatewayProcess> {
  const port = environment['API_PORT'] ?? String(await freePort());
  const host = `http://127.0.0.1:${port}`;
  const standalone = join(version, 'services/standalone/src/main.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', standalone], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      API_HOST: '127.0.0.1',
      API_PORT: port,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  await ready(host, child, () => output);
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  return {
    host,
    pid: child.pid ?? 0,
    output: () => output,
    call: (method, path, body, options) => callGateway(`${host}/api/v1${path}`, method, body, options),
    signal: (name) => void child.kill(name),
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

async function ready(host: string, child: ChildProcess, output: () => string): Promise<void> {
  for (const until = performance.now() + readyMs; performance.now() < until;) {
    if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}:\n${output()}`);
    const answer = await fetch(`${host}/api/v1/health/ready`).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw new Error(`The gateway was not ready in ${readyMs} ms:\n${output()}`);
}
