import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { WebhooksSettings } from '../index.ts';
import type { Order } from './process.child.ts';

const script = fileURLToPath(new URL('process.child.ts', import.meta.url));

/** Webhooks in a process of its own. */
export interface WebhooksProcess {
  /** Resolves when it is carried out. @throws Error when it was not, or the process ended meanwhile */
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
    child.setMaxListeners(0); // two for each order under way
    let stalls = 0;
    let orders = 0;
    child.on('message', (message) => void (message === 'stood still' && (stalls += 1)));
    const started: WebhooksProcess = {
      order: async (given) => {
        const id = (orders += 1);
        const done = said(child, `done ${id}`, `failed ${id}`);
        child.send({ id, order: given }, () => undefined);
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

/** Resolves when the child has sent the word; rejects when it sends the fault or ends. */
const said = (child: ChildProcess, word: string, fault?: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      child.off('message', onMessage).off('exit', onExit);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onMessage = (message: unknown): void => {
      if (message === word) settle();
      else if (message === fault) settle(new Error('It was not carried out.'));
    };
    const onExit = (): void => settle(new Error('The process has ended.'));
    child.on('message', onMessage).on('exit', onExit);
    if (child.exitCode !== null || child.signalCode !== null) onExit();
  });

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
