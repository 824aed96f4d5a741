import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Collector } from './collector.ts';

/** A consumer in a process of its own: it prints one line for each thing that it begins, and one when it is ready. */
export interface ChildConsumer {
  readonly begun: Collector<string>;
  /** Ends it as a power cut would. What it had begun is in `begun` then. */
  kill(): Promise<void>;
}

/** Starts a script that consumes; resolves when it has printed `ready`. */
export async function childConsumer(
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<ChildConsumer> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    env: { ...process.env, ...environment, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // All that it has printed has come by then.
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const begun = new Collector<string>();
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => (line === 'ready' ? resolve() : begun.add(line)));
    child.once('exit', () => reject(new Error('The child ended before it was ready.')));
  });
  await ready;
  return {
    begun,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
