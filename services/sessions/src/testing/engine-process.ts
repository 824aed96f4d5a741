import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Order } from './engine.child.ts';

/** A process of its own with one profile on the engine, so that it can be killed. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  readonly died: Promise<void>;
  #number = 0;
  #isDead = false;

  constructor() {
    this.#child = fork(fileURLToPath(new URL('engine.child.ts', import.meta.url)), { execArgv: [], silent: false });
    this.#child.on('message', ({ number, answer, error }: { number: number; answer?: unknown; error?: string }) => {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (error === undefined) waiting?.resolve(answer);
      else waiting?.reject(new Error(error));
    });
    // An order that meets a process which has just died: its end rejects it.
    this.#child.on('error', () => undefined);
    this.died = new Promise((resolve) =>
      this.#child.on('exit', () => {
        this.#isDead = true;
        for (const { reject } of this.#waiting.values()) reject(new Error('The process died.'));
        resolve();
      }),
    );
  }

  ask<Answer = unknown>(order: Order): Promise<Answer> {
    this.#number += 1;
    const number = this.#number;
    if (this.#isDead) return Promise.reject(new Error('The process died.'));
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve: resolve as (answer: unknown) => void, reject });
      this.#child.send({ number, order });
    });
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.died;
  }
}
