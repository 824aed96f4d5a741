import { reasonOf, Unavailable, type Logger } from '@messaging-gateway/runtime';
import { createClient } from '@redis/client';
import { greet, type Send } from './greeting.ts';

export interface ConnectionOptions {
  /** `redis://` or `rediss://` (TLS), with user, password and number of the database where there are. */
  readonly url: string;
  readonly log: Logger;
  /** Says in the log why Redis is away. Default: the error's words. */
  readonly explain?: ((error: unknown) => string) | undefined;
  /** How long a command waits for its answer, milliseconds. Default 500. */
  readonly commandTimeoutMs?: number | undefined;
}

const usualTimeoutMs = 500;
const connectWithinMs = 2000;
const longestPauseMs = 1000;
/** A connection on which nothing arrives for so long is broken; a ping goes out more often than that. */
const silentMs = 5000;
const pingEveryMs = 1500;

/** Answers that say that this server can't serve now, not that the command is wrong. */
const notNow = /^(LOADING|READONLY|MASTERDOWN|MISCONF|OOM|CLUSTERDOWN|NOREPLICAS)\b/;

type Client = ReturnType<typeof createClient>;

const clientOf = (url: string): Client =>
  createClient({
    url,
    RESP: 2,
    name: 'messaging-gateway',
    // A command is carried out now or refused now, never later on another connection.
    disableOfflineQueue: true,
    pingInterval: pingEveryMs,
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: connectWithinMs,
      socketTimeout: silentMs,
      reconnectStrategy: (retries) =>
        Math.min(50 * 2 ** Math.min(retries, 10), longestPauseMs) * (0.75 + Math.random() / 2),
    },
  }) as Client;

/**
 * One connection to Redis that comes back by itself for ever. While Redis is away each command is refused at once;
 * one that is not answered in time is refused too, and so are all others until the server has answered again.
 */
export class Connection {
  readonly client: Client;
  readonly #log: Logger;
  readonly #explain: (error: unknown) => string;
  readonly #timeoutMs: number;
  #incarnation: string | undefined;
  #answers = false;
  #greeting = false;
  #closed = false;
  #told: string | undefined;
  #fault: unknown;

  constructor({ url, log, explain = reasonOf, commandTimeoutMs = usualTimeoutMs }: ConnectionOptions) {
    this.#log = log;
    this.#explain = explain;
    this.#timeoutMs = commandTimeoutMs;
    this.client = clientOf(url);
    this.client.on('error', (error: Error) => {
      this.#lost(error);
      if (this.client.isReady) void this.#greet(); // a fault of a single answer: the connection is still there
    });
    this.client.on('ready', () => void this.#greet());
    this.client.connect().catch(() => undefined); // told by `error`, and tried again
  }

  /** Redis answers now. */
  get connected(): boolean {
    return this.#answers && this.client.isReady;
  }

  /** Why Redis does not answer; undefined while it does, or as long as nothing is known. */
  get fault(): unknown {
    return this.#fault;
  }

  /** The run of the server that answers now. */
  get incarnation(): string | undefined {
    return this.connected ? this.#incarnation : undefined;
  }

  /** @throws Unavailable when Redis is away or does not answer in time */
  readonly send: Send = async (command) => {
    if (!this.connected) throw new Unavailable('Redis is not available.');
    try {
      return await this.#inTime(this.client.sendCommand([...command]));
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      if (this.connected && !notNow.test((error as Error).message)) throw error;
      throw new Unavailable('Redis is not available.', { cause: error });
    }
  };

  close(): void {
    this.#closed = true;
    this.#answers = false;
    this.client.destroy();
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Unavailable('Redis has not answered in time.'));
        this.#lost(new Error('no answer in time'));
        // Answered when the server is back, or refused when the connection is given up.
        void this.#greet();
      }, this.#timeoutMs);
      const settled =
        <V>(settle: (value: V) => void) =>
        (value: V): void => {
          clearTimeout(timer);
          settle(value);
        };
      answer.then(settled(resolve), settled(reject));
    });
  }

  async #greet(): Promise<void> {
    if (this.#greeting) return;
    this.#greeting = true;
    try {
      this.#incarnation = await greet((command) => this.client.sendCommand([...command]), this.#log);
      this.#answers = true;
      this.#fault = undefined;
      if (this.#told !== 'there') this.#log.info('Redis is there');
      this.#told = 'there';
    } catch (error) {
      this.#lost(error as Error);
    } finally {
      this.#greeting = false;
    }
  }

  #lost(error: Error): void {
    this.#answers = false;
    this.#fault = error;
    const reason = this.#explain(error);
    if (this.#closed || this.#told === reason) return;
    this.#told = reason;
    this.#log.warn('Redis is away', { reason });
  }
}
