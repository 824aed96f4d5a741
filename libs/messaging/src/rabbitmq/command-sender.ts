import type { CommandEnvelope } from '@messaging-gateway/contracts';
import { Unavailable, type Logger } from '@messaging-gateway/runtime';
import type { Channel, ConfirmChannel } from 'amqplib';
import type { BrokerConnection } from './broker-connection.ts';
import { commandQueueName, commandQueueOptions } from './names.ts';
import { SteadyChannel } from './steady-channel.ts';

/** The error that amqplib gives for a message that the broker refused, as against a channel that was lost. */
const nacked = 'message nacked';

interface Sending {
  readonly id: string;
  readonly queue: string;
  readonly command: CommandEnvelope;
  readonly content: Buffer;
  isReturned: boolean;
  settle(error?: Error): void;
}

/** A command that exists: who carries it out and its name. */
export interface KnownCommand {
  readonly owner: string;
  readonly name: string;
}

export interface CommandSenderParts {
  /** A connection that publishes. */
  readonly connection: BrokerConnection;
  readonly log: Logger;
  /** Their queues are declared with each connection, never on the way of a command. */
  readonly known: readonly KnownCommand[];
  readonly maxLength: number;
  /** How long a command may take to be stored, milliseconds. */
  readonly sendWaitMs: number;
}

/** Stores commands: published in the order of `send`, and again in this order when the connection broke before the confirm. */
export class CommandSender {
  readonly #parts: CommandSenderParts;
  readonly #channel: SteadyChannel;
  /** In the order of `send`; a confirm or the time limit ends it. */
  readonly #sending = new Map<string, Sending>();
  #unpublished: Sending[] = [];
  #count = 0;

  constructor(parts: CommandSenderParts) {
    this.#parts = parts;
    this.#channel = new SteadyChannel(
      parts.connection,
      {
        name: 'commands',
        confirms: true,
        setUp: (channel) => this.#setUp(channel),
        opened: () => this.#opened(),
        ready: () => this.#publishMore(),
      },
      parts.log,
    );
  }

  get isOpen(): boolean {
    return this.#channel.current !== undefined;
  }

  /** @throws Unavailable when it was not stored within the time, or the queue is full or was never declared */
  send(owner: string, command: CommandEnvelope): Promise<void> {
    const id = (this.#count++).toString(36);
    const content = Buffer.from(JSON.stringify(command));
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        this.#sending.delete(id);
        if (error === undefined) resolve();
        else reject(error);
      };
      const late = (): void => settle(new Unavailable(`${command.name} could not be stored in time.`));
      const timer = setTimeout(late, this.#parts.sendWaitMs);
      const queue = commandQueueName(owner, command.name);
      const sending: Sending = { id, queue, command, content, isReturned: false, settle };
      this.#sending.set(id, sending);
      this.#unpublished.push(sending);
      this.#publishMore();
    });
  }

  /** Waits for what is being stored. */
  async close(): Promise<void> {
    await (this.#channel.current as ConfirmChannel | undefined)?.waitForConfirms().catch(() => undefined);
    await this.#channel.close();
    for (const { settle } of this.#sending.values()) settle(new Unavailable('The queue is being closed.'));
  }

  async #setUp(channel: Channel): Promise<void> {
    const { known, maxLength } = this.#parts;
    channel.on('return', ({ properties }) => {
      const sending = this.#sending.get(String(properties.correlationId));
      if (sending !== undefined) sending.isReturned = true;
    });
    for (const { owner, name } of known)
      await channel.assertQueue(commandQueueName(owner, name), commandQueueOptions(maxLength));
  }

  /** What was published on the channel before may have been lost with it. */
  #opened(): void {
    this.#unpublished = [...this.#sending.values()];
    for (const sending of this.#unpublished) sending.isReturned = false;
  }

  #publishMore(): void {
    let published = 0;
    while (published < this.#unpublished.length && this.#channel.isReady) {
      const sending = this.#unpublished[published] as Sending;
      if (this.#sending.has(sending.id) && !this.#publish(sending)) break;
      published += 1;
    }
    this.#unpublished.splice(0, published);
  }

  /** @returns false when the channel went a moment ago: everything is published again on the next one */
  #publish(sending: Sending): boolean {
    const { id, queue, command, content } = sending;
    const options = {
      persistent: true,
      mandatory: true,
      correlationId: id,
      messageId: command.id,
      type: command.name,
      contentType: 'application/json',
    };
    try {
      this.#channel.publish('', queue, content, options, (error) => this.#confirmed(sending, error));
      return true;
    } catch {
      return false;
    }
  }

  #confirmed(sending: Sending, error: Error | null): void {
    const { command, isReturned, settle } = sending;
    if (error?.message === nacked) settle(new Unavailable(`The queue of ${command.name} is full.`));
    else if (error === null) settle(isReturned ? new Unavailable(`${command.name} has no queue.`) : undefined);
  }
}
