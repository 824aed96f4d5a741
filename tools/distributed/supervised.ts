import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { createInterface } from 'node:readline';

/** A process that ran so long has recovered: the next wait is a short one again. Milliseconds. */
const recoveredMs = 60_000;
const longestWaitMs = 30_000;
/** Longer than a process may take to stop in order, beside the delay that a gateway was given. */
const killAfterMs = 32_000;

export interface SupervisedOptions {
  readonly name: string;
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Takes each line of its output, and what is said of it. */
  readonly say: (name: string, line: string) => void;
}

/** A process that is started again, after a growing pause, whenever it ends by itself. */
export class Supervised {
  readonly #options: SupervisedOptions;
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;
  #running: Promise<number | null> = Promise.resolve(0);

  constructor(options: SupervisedOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#keepRunning();
  }

  /** SIGTERM, and SIGKILL when it does not end. @returns its exit code; null: killed */
  async stop(): Promise<number | null> {
    this.#stopping.abort();
    const child = this.#child;
    child?.kill('SIGTERM');
    const delayMs = 1_000 * (Number(this.#options.environment['SHUTDOWN_DELAY_SECONDS']) || 0);
    const killing = setTimeout(() => child?.kill('SIGKILL'), killAfterMs + delayMs);
    const code = await this.#running;
    clearTimeout(killing);
    return code;
  }

  /** Ends it at once. */
  kill(): void {
    this.#stopping.abort();
    this.#child?.kill('SIGKILL');
  }

  async #keepRunning(): Promise<number | null> {
    const { name, say } = this.#options;
    const { signal } = this.#stopping;
    let waitMs = 1_000;
    for (;;) {
      const begun = performance.now();
      const ended = await this.#runOnce();
      if (signal.aborted) return ended.code;
      if (performance.now() - begun > recoveredMs) waitMs = 1_000;
      say(name, `ended with ${ended.code ?? ended.signal}; starts again in ${waitMs / 1000} s`);
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return 0;
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  }

  #runOnce(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
    const { name, program, environment, say } = this.#options;
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: environment,
      // Ctrl-C reaches this process only, which stops the others in order; the channel tells them when it is gone.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => say(name, line));
    return new Promise((resolve) => {
      child.once('error', (error) => say(name, error.message));
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }
}
