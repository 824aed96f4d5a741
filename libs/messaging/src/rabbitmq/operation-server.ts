import { type Logger, settledWithin } from '@messaging-gateway/runtime';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { OperationHandler } from '../operations.ts';
import { acknowledge } from './acknowledge.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { operationQueue, operationQueueOptions } from './names.ts';
import type { OperationAnswers } from './operation-answers.ts';
import { Serving } from './serving.ts';
import { SteadyChannel } from './steady-channel.ts';

/** Requests of one operation in the hands of one process, at most; the rest waits in the queue for any replica. */
const prefetch = 2_000;
/** How long the broker may take to end a consumer, milliseconds. */
const cancelMs = 2_000;

export interface OperationServerParts {
  /** A connection that only consumes, so that the broker never holds it back. */
  readonly connection: BrokerConnection;
  readonly log: Logger;
  readonly answers: OperationAnswers;
}

/**
 * Serves one operation from the queue that it shares with other replicas. A request is acknowledged when it was
 * answered; one that comes again, because its process was killed, is refused instead of being carried out twice.
 */
export class OperationServer {
  readonly #operation: string;
  readonly #serving: Serving;
  readonly #channel: SteadyChannel;
  #consumer: string | undefined;

  constructor(parts: OperationServerParts, operation: string, handler: OperationHandler) {
    this.#operation = operation;
    this.#serving = new Serving(parts.answers, handler);
    this.#channel = new SteadyChannel(
      parts.connection,
      { name: `server of ${operation}`, setUp: (channel) => this.#setUp(channel) },
      parts.log,
    );
  }

  get isOpen(): boolean {
    return this.#channel.current !== undefined;
  }

  whenOpen(ms: number): Promise<boolean> {
    return this.#channel.whenOpen(ms);
  }

  /** Takes no more; resolves when those in hand are answered. */
  async stop(): Promise<void> {
    const channel = this.#channel.current;
    // Those that came before the broker has heard of it are carried out too.
    if (this.#consumer !== undefined) await settledWithin(cancelMs, channel?.cancel(this.#consumer));
    await this.#serving.finished();
    await this.#channel.close();
  }

  async #setUp(channel: Channel): Promise<void> {
    const queue = operationQueue(this.#operation);
    await channel.prefetch(prefetch);
    await channel.assertQueue(queue, operationQueueOptions);
    const { consumerTag } = await channel.consume(queue, (message) => this.#came(channel, message));
    this.#consumer = consumerTag;
  }

  #came(channel: Channel, message: ConsumeMessage | null): void {
    if (message === null) return this.#channel.reopen();
    void this.#serving.carryOut(message).then(() => acknowledge(channel, message));
  }
}
