import { type Logger, settledWithin } from '@messaging-gateway/runtime';
import type { Channel, ChannelModel, ConfirmChannel, Options } from 'amqplib';
import type { BrokerConnection, Part } from './broker-connection.ts';
import { reconnectWait } from './reconnect-wait.ts';

/** How long the broker may take to close a channel, milliseconds. */
const closeMs = 2_000;

export interface ChannelPlan {
  /** For logs. */
  readonly name: string;
  /** The broker is asked to say what it has let fall. */
  readonly hears?: 'refusals';
  /** Declares and consumes on a new channel. A throw is tried again on the next one. */
  setUp?(channel: Channel): Promise<void>;
  /** The channel is open (again) and set up. */
  opened?(): void;
  /** The channel is gone; nothing more comes from it. */
  lost?(): void;
}

/** A channel that is opened and set up again whenever it, or its connection, was lost. */
export class SteadyChannel {
  readonly #connection: BrokerConnection;
  readonly #plan: ChannelPlan;
  readonly #log: Logger;
  readonly #part: Part;
  #model: ChannelModel | undefined;
  #channel: Channel | undefined;
  #failures = 0;
  #isFull = false;
  #isClosed = false;
  #waiting = new Set<() => void>();
  #retry: NodeJS.Timeout | undefined;

  constructor(connection: BrokerConnection, plan: ChannelPlan, log: Logger) {
    this.#connection = connection;
    this.#plan = plan;
    this.#log = log;
    this.#part = {
      begin: (model) => void this.#begin(model),
      lost: () => void (this.#model = undefined),
      flowChanged: () => this.#changed(),
    };
    connection.join(this.#part);
  }

  /** Set up and open; undefined while the broker is away. */
  get current(): Channel | undefined {
    return this.#channel;
  }

  /** Whether messages can be published now: the channel is open and the broker takes them as fast as they come. */
  get isReady(): boolean {
    return this.#channel !== undefined && !this.#isFull && !this.#connection.isBlocked;
  }

  /** Waits until the channel is open. @returns false when it is not within so many milliseconds, or closed for good */
  whenOpen(ms: number): Promise<boolean> {
    return this.#when(() => this.#channel !== undefined, ms);
  }

  /** As `whenOpen`, and the broker takes messages. */
  whenReady(ms: number): Promise<boolean> {
    return this.#when(() => this.isReady, ms);
  }

  /**
   * @param refused the broker has let it fall; told only where the channel hears refusals
   * @throws Error when the channel is not open
   */
  publish(exchange: string, key: string, content: Buffer, options: Options.Publish, refused?: () => void): void {
    const channel = this.#channel;
    if (channel === undefined) throw new Error(`The channel ${this.#plan.name} is not open.`);
    const isTaken = hearsRefusals(channel)
      ? channel.publish(exchange, key, content, options, (error: Error | null) => {
          // Of a channel that is gone its owner hears by `lost`.
          if (error !== null && this.#channel === channel) refused?.();
        })
      : channel.publish(exchange, key, content, options);
    if (!isTaken) this.#isFull = true;
  }

  /** Closes the channel: what was published has reached the broker when this resolves; what was not acknowledged is given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#connection.leave(this.#part);
    const channel = this.#channel;
    this.#channel = undefined;
    this.#changed();
    await settledWithin(closeMs, channel?.close());
  }

  /** Closes the channel and opens another, for example because the broker has ended its consumer. */
  reopen(): void {
    const channel = this.#channel;
    this.#channel = undefined;
    void channel?.close().catch(() => undefined);
  }

  async #begin(model: ChannelModel): Promise<void> {
    this.#model = model;
    const { name, setUp, opened, lost } = this.#plan;
    let reason: unknown = 'closed';
    try {
      const channel = await (this.#plan.hears === 'refusals' ? model.createConfirmChannel() : model.createChannel());
      channel.on('error', (error: Error) => (reason = error));
      const closed = new Promise<void>((resolve) => channel.once('close', () => resolve()));
      channel.on('drain', () => this.#drained());
      try {
        await setUp?.(channel);
        if (this.#isClosed) return void channel.close().catch(() => undefined);
        this.#channel = channel;
        this.#isFull = false;
        this.#failures = 0;
        opened?.();
        this.#changed();
        await closed;
      } catch (error) {
        reason = reason === 'closed' ? error : reason;
        await channel.close().catch(() => undefined);
      }
    } catch (error) {
      reason = error;
    }
    this.#channel = undefined;
    lost?.();
    if (!this.#isClosed && this.#model === model) this.#again(model, name, reason);
  }

  #again(model: ChannelModel, name: string, reason: unknown): void {
    this.#retry = setTimeout(
      () => {
        if (this.#model === model && !this.#isClosed) void this.#begin(model);
      },
      reconnectWait(this.#failures++),
    );
    this.#log.warn('RabbitMQ channel lost', { channel: name, reason: String(reason) });
  }

  #drained(): void {
    this.#isFull = false;
    this.#changed();
  }

  #changed(): void {
    for (const look of this.#waiting) look();
  }

  #when(holds: () => boolean, ms: number): Promise<boolean> {
    if (holds()) return Promise.resolve(true);
    if (this.#isClosed || ms <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (outcome: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(outcome);
      };
      const look = (): void => {
        if (this.#isClosed || holds()) settle(!this.#isClosed);
      };
      const timer = setTimeout(() => settle(false), ms);
      this.#waiting.add(look);
    });
  }
}

const hearsRefusals = (channel: Channel): channel is ConfirmChannel => 'waitForConfirms' in channel;
