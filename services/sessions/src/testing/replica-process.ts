import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Simulator } from '@messaging-gateway/network-simulator';
import type { SessionsSettings } from '../config.ts';

export interface ReplicaOptions {
  readonly databaseUrl: string;
  readonly brokerUrl: string;
  readonly network: Pick<Simulator, 'url' | 'rootKey'>;
  readonly settings?: Partial<SessionsSettings>;
  readonly logs?: boolean;
}

const program = fileURLToPath(new URL('replica.child.ts', import.meta.url));

/** A replica of sessions in a process of its own, to be killed, stopped and continued. */
export class ReplicaProcess {
  readonly #child: ChildProcess;
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;

  constructor(options: ReplicaOptions) {
    this.#child = fork(program, [JSON.stringify(options)], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    this.ended = new Promise((resolve) => this.#child.once('exit', () => resolve()));
    this.ready = new Promise((resolve, reject) => {
      this.#child.once('message', () => resolve());
      this.#child.once('exit', () => reject(new Error('The replica ended before it was ready.')));
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** SIGKILL, also of a stopped process, and waits for its end. */
  async kill(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    await this.ended;
  }
}
