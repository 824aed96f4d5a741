import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { callGateway, eventually, type Distributed } from '@messaging-gateway/testing';

const program = fileURLToPath(new URL('start.ts', import.meta.url));
/** Ends only what is broken, milliseconds. */
const patienceMs = 400_000;

/** `npm run start:distributed` without npm. */
export class Started {
  readonly #child: ChildProcess;
  /** `http://127.0.0.1:<API_PORT>` */
  readonly host: string;
  /** Resolves with the exit code when it has ended; null: by a signal. */
  readonly ended: Promise<number | null>;
  output = '';

  constructor(environment: Readonly<Record<string, string>>, ...args: string[]) {
    this.host = `http://127.0.0.1:${environment['API_PORT']}`;
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => this.#child.once('close', (code) => resolve(code)));
  }

  /** Calls a route below `/api/v1`. */
  call: Distributed['call'] = (method, path, body, options) =>
    callGateway(`${this.host}/api/v1${path}`, method, body, options);

  /** Resolves when the gateway and all services that it calls are ready. @throws Error with the output when it ends before */
  async ready(): Promise<void> {
    await eventually(async () => {
      if (!this.isRunning) throw new Error(`It ended before it was ready:\n${this.output}`);
      const answer = await this.call<{ checks?: { services?: string } }>('GET', '/health/ready').catch(() => undefined);
      return answer?.status === 200 && answer.body.checks?.services === 'up' ? true : undefined;
    }, patienceMs);
  }

  /** Resolves with the first line that fits, also one that was written before, when `times` lines fit. */
  says(text: RegExp, times = 1): Promise<string> {
    const all = new RegExp(text, 'gm');
    return eventually(async () => {
      const found = this.output.match(all) ?? [];
      return found.length >= times ? found[0] : undefined;
    }, patienceMs);
  }

  /** Ids of all processes that have said that they are ready, also of those that have ended. */
  get pids(): readonly number[] {
    return [...this.output.matchAll(/Ready.*pid=(\d+)/g)].map(([, pid]) => Number(pid));
  }

  /** The process of a service that said last that it is ready. */
  pidOf(service: string): number {
    const said = this.output.matchAll(new RegExp(`^${service} +\\| .*Ready.*pid=(\\d+)`, 'gm'));
    return Number([...said].at(-1)?.[1]);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Ends it in order, unless it has ended. */
  async stop(): Promise<void> {
    if (this.isRunning) this.signal('SIGTERM');
    await this.ended;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
