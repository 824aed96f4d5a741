import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, settledWithin } from '@messaging-gateway/runtime';
import { connect, type ChannelModel } from 'amqplib';
import { reconnectWait } from './reconnect-wait.ts';

/** A part that lives on a connection and is made again with each new one. */
export interface Part {
  /** The broker is there. Never rejects. */
  begin(model: ChannelModel): void;
  /** The broker is gone: nothing more is heard of what was sent. */
  lost(): void;
  /** The broker has stopped to take messages, or takes them again. */
  flowChanged(): void;
}

/** How long the broker may take to answer while a connection is opened, milliseconds. */
const openMs = 10_000;
/** How long the broker may take to say goodbye, milliseconds. */
const closeMs = 2_000;

export interface BrokerConnectionOptions {
  readonly url: string;
  /** As the broker lists it. */
  readonly name: string;
  readonly log: Logger;
  /** Says why the broker is away. */
  readonly explain: (error: unknown) => string;
  /** Seconds; after two without a sign the connection counts as lost, on both sides. */
  readonly heartbeat: number;
}

/** One connection to the broker. It comes back by itself for ever, also when the broker was never there yet. */
export class BrokerConnection {
  readonly #options: BrokerConnectionOptions;
  readonly #parts = new Set<Part>();
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #model: ChannelModel | undefined;
  #isBlocked = false;
  #fault: unknown;

  constructor(options: BrokerConnectionOptions) {
    this.#options = options;
    this.#ended = this.#stayConnected();
  }

  get isConnected(): boolean {
    return this.#model !== undefined;
  }

  /** Why the broker is away; undefined while it is there, or as long as nothing is known. */
  get fault(): unknown {
    return this.#fault;
  }

  /** The broker takes no messages now: it is short of memory or disk. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  join(part: Part): void {
    this.#parts.add(part);
    if (this.#model !== undefined) part.begin(this.#model);
  }

  leave(part: Part): void {
    this.#parts.delete(part);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    if (this.#model !== undefined) await sayGoodbye(this.#model);
    await this.#ended;
  }

  async #stayConnected(): Promise<void> {
    let failures = 0;
    while (!this.#ending.signal.aborted) {
      try {
        const model = await this.#open();
        failures = 0;
        this.#fault = undefined;
        await this.#use(model);
      } catch (error) {
        this.#failed(error);
        await delay(reconnectWait(failures++), undefined, { signal: this.#ending.signal }).catch(() => undefined);
      }
    }
  }

  /** Each reason is told once, however often it is tried again. */
  #failed(error: unknown): void {
    const { log, name, explain } = this.#options;
    const told = this.#fault === undefined ? undefined : explain(this.#fault);
    this.#fault = error;
    const reason = explain(error);
    if (reason !== told) log.warn('RabbitMQ is away', { connection: name, reason });
  }

  #open(): Promise<ChannelModel> {
    const { url, heartbeat, name } = this.#options;
    const { href } = withHeartbeat(url, heartbeat);
    return connect(href, { noDelay: true, timeout: openMs, clientProperties: { connection_name: name } });
  }

  /** Resolves when the connection has ended. */
  async #use(model: ChannelModel): Promise<void> {
    const { log, name } = this.#options;
    let reason = 'closed';
    model.on('error', (error: Error) => (reason = error.message));
    const closed = new Promise<void>((resolve) => model.once('close', () => resolve()));
    if (this.#ending.signal.aborted) return sayGoodbye(model);
    this.#flow(model, name);
    this.#model = model;
    log.info('RabbitMQ connected', { connection: name });
    for (const part of this.#parts) part.begin(model);
    await closed;
    this.#model = undefined;
    this.#isBlocked = false;
    for (const part of this.#parts) part.lost();
    if (!this.#ending.signal.aborted) log.warn('RabbitMQ connection lost', { connection: name, reason });
  }

  #flow(model: ChannelModel, connection: string): void {
    const changed = (isBlocked: boolean, reason?: string): void => {
      this.#isBlocked = isBlocked;
      this.#options.log.warn(isBlocked ? 'RabbitMQ takes no messages' : 'RabbitMQ takes messages again', {
        connection,
        reason,
      });
      for (const part of this.#parts) part.flowChanged();
    };
    model.on('blocked', (reason: string) => changed(true, reason));
    model.on('unblocked', () => changed(false));
  }
}

function withHeartbeat(url: string, seconds: number): URL {
  const given = new URL(url);
  if (!given.searchParams.has('heartbeat')) given.searchParams.set('heartbeat', String(seconds));
  return given;
}

/** A broker that does not answer is left all the same. */
async function sayGoodbye(model: ChannelModel): Promise<void> {
  if (await settledWithin(closeMs, model.close())) return;
  (model.connection as unknown as { readonly stream: Socket }).stream.destroy();
}
