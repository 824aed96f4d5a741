import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@messaging-gateway/contracts';

const here = fileURLToPath(new URL('../../../../', import.meta.url));

export interface ReplicaOptions {
  readonly service: ServiceName;
  readonly environment: Readonly<Record<string, string>>;
  /** Where its output is kept, appended over restarts. */
  readonly logFile: string;
  readonly healthPort: number;
  /** Folder of the version that it runs. Default: this one. */
  readonly root?: string | undefined;
}

/** One process of a service, that can be ended and started again on the same ports. */
export class Replica {
  readonly service: ServiceName;
  readonly healthPort: number;
  readonly logFile: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #root: string;
  #child: ChildProcess | undefined;
  #ended: Promise<number | null> = Promise.resolve(null);

  constructor({ service, environment, logFile, healthPort, root = here }: ReplicaOptions) {
    this.#root = root;
    this.service = service;
    this.healthPort = healthPort;
    this.logFile = logFile;
    this.#environment = environment;
  }

  /** 0: it does not run. */
  get pid(): number {
    return this.isRunning ? (this.#child?.pid ?? 0) : 0;
  }

  /** Whether it was started at least once. */
  get wasStarted(): boolean {
    return this.#child !== undefined;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves with the exit code when it has ended; null: by a signal. */
  get ended(): Promise<number | null> {
    return this.#ended;
  }

  /** Begins to start; see `ready`. */
  spawn(changed: Readonly<Record<string, string>> = {}): void {
    if (this.isRunning) throw new Error(`${this.service} runs already.`);
    const program = join(this.#root, 'services', this.service, 'src/main.ts');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: { ...this.#environment, ...changed },
      // The channel tells it when whoever started it is gone.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const log = createWriteStream(this.logFile, { flags: 'a' });
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false });
    this.#ended = new Promise((resolve) =>
      child.once('close', (code) => {
        log.end(() => resolve(code));
      }),
    );
    this.#child = child;
  }

  /** Resolves when it is ready. @throws Error when it ends before, or is not ready in time */
  async ready(timeoutMs: number): Promise<void> {
    let last = 'no answer';
    for (const until = performance.now() + timeoutMs; performance.now() < until;) {
      if (!this.isRunning) throw new Error(`${this.service} ended with ${this.#child?.exitCode} before it was ready.`);
      const answer = await this.health('/ready').catch(() => undefined);
      if (answer?.status === 200) return;
      if (answer !== undefined) last = await answer.text();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${this.service} was not ready in ${timeoutMs} ms: ${last}`);
  }

  /** Asks its own port: `/health`, `/ready` or `/metrics`. */
  health(path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.healthPort}${path}`, { signal: AbortSignal.timeout(60_000) });
  }

  /** Sends a signal and waits for the end. @returns the exit code; null: ended by the signal, or did not run */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.isRunning) return null;
    this.#child?.kill(signal);
    return this.#ended;
  }

  /** Sends a signal, and does not wait. */
  signal(name: NodeJS.Signals): void {
    if (this.isRunning) this.#child?.kill(name);
  }
}
