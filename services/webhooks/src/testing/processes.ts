import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { WebhooksSettings } from '../index.ts';
import type { Order } from './process.child.ts';

const script = fileURLToPath(new URL('process.child.ts', import.meta.url));

/** Webhooks in a process of its own. */
export interface WebhooksProcess {
  /** Resolves when it is carried out. */
  order(given: Order): Promise<void>;
  /** How often it stood still, by no fault of its own, for so long that others may have taken what it had in hand. */
  stalls(): number;
  /** SIGKILL, and waits for its end. */
  kill(): Promise<void>;
}

/** Starts processes of webhooks on one database; `killAll` ends what still runs. */
export class WebhooksProcesses {
  readonly #running = new Set<WebhooksProcess>();

  async start(databaseUrl: string, settings: WebhooksSettings): Promise<WebhooksProcess> {
    const child = fork(script, [databaseUrl, JSON.stringify(settings)], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    let stalls = 0;
    child.on('message', (message) => void (message === 'stood still' && (stalls += 1)));
    const started: WebhooksProcess = {
      order: async (given) => {
        const done = said(child, 'done');
        child.send(given);
        await done;
      },
      stalls: () => stalls,
      kill: () => kill(child),
    };
    this.#running.add(started);
    await said(child, 'ready');
    return started;
  }

  async killAll(): Promise<void> {
    for (const one of this.#running) await one.kill();
    this.#running.clear();
  }
}

const said = (child: ChildProcess, word: string): Promise<void> =>
  new Promise((resolve, reject) => {
    child.on('message', (message) => message === word && resolve());
    child.on('exit', () => reject(new Error('The process has ended.')));
  });

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
