import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ErrorCode, OperationReply } from '@messaging-gateway/contracts';
import { Refused, type OperationBus } from '@messaging-gateway/messaging';

export interface ReplicaOptions {
  readonly databaseUrl: string;
  readonly brokerUrl: string;
  readonly durableSend: boolean;
}

export interface Asked {
  readonly id: number;
  readonly operation: string;
  readonly request: unknown;
}
export interface Answered {
  readonly id: number;
  readonly reply?: OperationReply;
  readonly refusal?: { readonly code: ErrorCode; readonly message: string; readonly details?: unknown };
}

interface Waiting {
  resolve(reply: OperationReply): void;
  reject(error: Error): void;
}

const program = fileURLToPath(new URL('replica.child.ts', import.meta.url));

/** A replica of outbound in a process of its own, to be killed, stopped and continued; requests arrive at exactly this one. */
export class ReplicaProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  #asked = 0;

  constructor(options: ReplicaOptions) {
    this.#child = fork(program, [JSON.stringify(options)], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    this.ended = new Promise((resolve) => this.#child.once('exit', () => resolve()));
    this.ready = new Promise((resolve, reject) => {
      this.#child.once('exit', () => reject(new Error('The replica ended before it was ready.')));
      this.#child.on('message', (message) => (message === 'ready' ? resolve() : this.#answered(message as Answered)));
    });
    void this.ended.then(() => this.#answerAll());
  }

  /** Operations that the replica serves for everybody. */
  readonly door: OperationBus = {
    request: (operation, request) =>
      new Promise((resolve, reject) => {
        this.#asked += 1;
        this.#waiting.set(this.#asked, { resolve, reject });
        this.#child.send({ id: this.#asked, operation, request } satisfies Asked);
      }),
    serve: () => Promise.reject(new Error('The test serves nothing here.')),
  };

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** SIGKILL, also of a stopped process, and waits for its end. */
  async kill(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    await this.ended;
  }

  #answered({ id, reply, refusal }: Answered): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (reply !== undefined) waiting?.resolve(reply);
    else waiting?.reject(new Refused(refusal?.code ?? 'INTERNAL_ERROR', refusal?.message ?? '', refusal?.details));
  }

  /** As the bus says of requests in the hands of a process that is gone. */
  #answerAll(): void {
    for (const { reject } of this.#waiting.values())
      reject(new Refused('SERVICE_UNAVAILABLE', 'It was in the hands of a process that is gone.'));
    this.#waiting.clear();
  }
}
