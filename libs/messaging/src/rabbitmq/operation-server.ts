import type { Logger } from '@messaging-gateway/runtime';
import type { OperationHandler } from '../operations.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { operationQueue, spareQueue } from './names.ts';
import type { OperationAnswers } from './operation-answers.ts';
import { QueueConsumer } from './queue-consumer.ts';
import { Serving } from './serving.ts';

export interface OperationServerParts {
  /** A connection that only consumes, so that the broker never holds it back. */
  readonly connection: BrokerConnection;
  readonly log: Logger;
  readonly answers: OperationAnswers;
}

/**
 * Serves one operation from the queue that it shares with other replicas. While that queue is away with its node of a cluster, from
 * another one, until the first is there again. A request is acknowledged when it was answered; one that comes again, because its process
 * was killed, is refused instead of being carried out twice.
 */
export class OperationServer {
  readonly #parts: OperationServerParts;
  readonly #operation: string;
  readonly #serving: Serving;
  readonly #usual: QueueConsumer;
  #spare: QueueConsumer | undefined;
  #isStopped = false;

  constructor(parts: OperationServerParts, operation: string, handler: OperationHandler) {
    this.#parts = parts;
    this.#operation = operation;
    this.#serving = new Serving(parts.answers, handler);
    this.#usual = new QueueConsumer(parts, {
      queue: operationQueue(operation),
      serving: this.#serving,
      opened: () => this.#leaveSpare(),
      away: () => this.#useSpare(),
    });
  }

  get isOpen(): boolean {
    return this.#usual.isOpen || this.#spare?.isOpen === true;
  }

  whenOpen(ms: number): Promise<boolean> {
    return this.#usual.whenOpen(ms);
  }

  /** Takes no more; resolves when those in hand are answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#usual.stop(), this.#spare?.stop()]);
  }

  #useSpare(): void {
    if (this.#isStopped) return;
    this.#spare ??= new QueueConsumer(this.#parts, { queue: spareQueue(this.#operation), serving: this.#serving });
  }

  /** Nobody asks there any more. */
  #leaveSpare(): void {
    const spare = this.#spare;
    this.#spare = undefined;
    void spare?.stop();
  }
}
