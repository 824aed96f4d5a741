import { type Logger, settledWithin } from '@messaging-gateway/runtime';
import type { Channel, ConsumeMessage } from 'amqplib';
import { acknowledge } from './acknowledge.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { operationQueueOptions } from './names.ts';
import type { Serving } from './serving.ts';
import { SteadyChannel } from './steady-channel.ts';

/** Requests of one operation in the hands of one process, at most; the rest waits in the queue for any replica. */
const prefetch = 2_000;
/** How long the broker may take to end a consumer, milliseconds. */
const cancelMs = 2_000;
/** What the broker says of a queue whose node is away: it is declared, but not there. */
const notFound = 404;

interface QueuePlan {
  readonly queue: string;
  readonly serving: Serving;
  /** It takes requests (again). */
  opened?(): void;
  /** The node of the queue is away. It is tried again for ever. */
  away?(): void;
}

/** Takes requests from one queue of an operation, which it declares. */
export class QueueConsumer {
  readonly #plan: QueuePlan;
  readonly #channel: SteadyChannel;
  #consumer: string | undefined;

  constructor({ connection, log }: { readonly connection: BrokerConnection; readonly log: Logger }, plan: QueuePlan) {
    this.#plan = plan;
    const { queue, opened } = plan;
    this.#channel = new SteadyChannel(
      connection,
      { name: `server of ${queue}`, setUp: (channel) => this.#setUp(channel), ...(opened && { opened }) },
      log,
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
    await this.#plan.serving.finished();
    await this.#channel.close();
  }

  async #setUp(channel: Channel): Promise<void> {
    const { queue, away } = this.#plan;
    await channel.prefetch(prefetch);
    try {
      await channel.assertQueue(queue, operationQueueOptions);
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === notFound) away?.();
      throw error;
    }
    const { consumerTag } = await channel.consume(queue, (message) => this.#came(channel, message));
    this.#consumer = consumerTag;
  }

  #came(channel: Channel, message: ConsumeMessage | null): void {
    if (message === null) return this.#channel.reopen();
    void this.#plan.serving.carryOut(message).then(() => acknowledge(channel, message));
  }
}
