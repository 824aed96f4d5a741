import type { ConsumeMessage } from 'amqplib';
import type { OperationHandler } from '../operations.ts';
import type { OperationAnswers } from './operation-answers.ts';

/** A handler and the requests that it has in hand. */
export class Serving {
  readonly #answers: OperationAnswers;
  readonly #handler: OperationHandler;
  readonly #running = new Set<Promise<void>>();

  constructor(answers: OperationAnswers, handler: OperationHandler) {
    this.#answers = answers;
    this.#handler = handler;
  }

  /** Resolves when it is answered. Never rejects. */
  carryOut(message: ConsumeMessage): Promise<void> {
    const running = this.#answers.carryOut(message, this.#handler).then(() => void this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Resolves when all in hand are answered. */
  async finished(): Promise<void> {
    await Promise.all(this.#running);
  }
}
