import type { CommandEnvelope } from '@messaging-gateway/contracts';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Channel, ConsumeMessage } from 'amqplib';
import { commandAttempts } from '../command-attempts.ts';
import type { CommandHandler, RetryPolicy } from '../commands.ts';
import { keepDeadLetter } from '../dead-letters.ts';
import type { ConsumerHome } from '../events.ts';
import { KeyedWork } from '../keyed-work.ts';
import { acknowledge } from './acknowledge.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { commandQueueName, commandQueueOptions } from './names.ts';
import { SteadyChannel } from './steady-channel.ts';

/** Commands in memory, at most: those that wait for another try, those behind them with the same key, and the next. */
const prefetch = 1_000;
/** A command whose process ended so often while it was in hand is given up. */
const deliveriesAtMost = 50;

export interface CommandConsumerParts {
  /** A connection that only consumes. */
  readonly connection: BrokerConnection;
  readonly owner: string;
  readonly name: string;
  readonly handler: CommandHandler;
  readonly retry: RetryPolicy;
  readonly home: ConsumerHome;
  readonly maxLength: number;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Carries out the commands of one queue. The broker gives them to one process at a time, in order; a command is
 * acknowledged when it is done or among the dead letters, and waits for its next try in memory, so that it holds up its
 * own key only. What is not acknowledged when the process ends comes to the next one in the old order.
 */
export class CommandConsumer {
  readonly #parts: CommandConsumerParts;
  readonly #channel: SteadyChannel;
  #work: KeyedWork;
  #isStopped = false;

  constructor(parts: CommandConsumerParts) {
    this.#parts = parts;
    this.#work = new KeyedWork(parts.concurrency, parts.clock);
    this.#channel = new SteadyChannel(
      parts.connection,
      {
        name: `commands ${parts.name} of ${parts.owner}`,
        setUp: (channel) => this.#setUp(channel),
        lost: () => void this.#work.stop(),
      },
      parts.log,
    );
  }

  get isOpen(): boolean {
    return this.#channel.current !== undefined;
  }

  whenOpen(ms: number): Promise<boolean> {
    return this.#channel.whenOpen(ms);
  }

  /**
   * Finishes what runs, then gives back the rest. The consumer is not cancelled before: the next process would begin
   * while commands of the same key are in hand here.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#work.stop();
    await this.#channel.close();
  }

  async #setUp(channel: Channel): Promise<void> {
    const { owner, name, maxLength, concurrency, clock } = this.#parts;
    // What was in hand when the last channel went comes again: not beside itself.
    await this.#work.stop();
    if (this.#isStopped) return;
    const work = new KeyedWork(concurrency, clock);
    this.#work = work;
    const queue = commandQueueName(owner, name);
    await channel.assertQueue(queue, commandQueueOptions(maxLength));
    await channel.prefetch(prefetch);
    await channel.consume(queue, (message) => this.#came(channel, work, message));
  }

  #came(channel: Channel, work: KeyedWork, message: ConsumeMessage | null): void {
    if (message === null) return this.#channel.reopen();
    const command = envelopeOf(message, this.#parts.name);
    const tries = this.#triesOf(message, command);
    work.add(command.key, async () => {
      const again = await tries();
      if (again === undefined) acknowledge(channel, message);
      return again;
    });
  }

  #triesOf({ properties }: ConsumeMessage, command: CommandEnvelope): ReturnType<typeof commandAttempts> {
    const { owner, name, home, clock, log } = this.#parts;
    const { id, key } = command;
    const deliveries = Number(properties.headers?.['x-delivery-count'] ?? 0);
    const isDeadly = deliveries > deliveriesAtMost;
    return commandAttempts({
      owner,
      command,
      handler: isDeadly
        ? () => Promise.reject(new Error(`It was in hand ${deliveries} times when its process ended.`))
        : this.#parts.handler,
      retry: isDeadly ? { ...this.#parts.retry, delaysMs: [] } : this.#parts.retry,
      clock,
      log,
      giveUp: (reason) =>
        keepDeadLetter(home, { id, consumer: owner, name, key, organizationId: undefined, reason, envelope: command }),
    });
  }
}

/** What is not a command (only this product should write to its queues) fails in its handler's checks. */
function envelopeOf({ content, properties, fields }: ConsumeMessage, name: string): CommandEnvelope {
  const command = read(content.toString());
  if (typeof command?.id === 'string' && typeof command.key === 'string') return command;
  const id = String(properties.messageId ?? fields.deliveryTag);
  return { id, name, key: id, requestId: id, data: content.toString() };
}

function read(text: string): CommandEnvelope | undefined {
  try {
    return (JSON.parse(text) as CommandEnvelope | null) ?? undefined;
  } catch {
    return undefined;
  }
}
