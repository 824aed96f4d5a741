import { MemoryStore, type IncrementResponse, type Options, type Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { scriptSender, type SendCommand } from './script-sender.ts';
import type { ThrottleStore } from './throttle.ts';

export interface RedisThrottleOptions {
  readonly send: SendCommand;
  /** Stands before every key. */
  readonly prefix: string;
}

/** Takes one hit back, unless the window it was counted in is over. */
const takeBack = `
if redis.call('PTTL', KEYS[1]) > 0 and tonumber(redis.call('GET', KEYS[1])) > 0 then redis.call('DECR', KEYS[1]) end`;

/** Counts in Redis, for all replicas together; while Redis is away each replica counts for itself. */
export const redisThrottleStore =
  ({ send, prefix }: RedisThrottleOptions): ThrottleStore =>
  (name) =>
    new SharedStore(send, `${prefix}throttle:${name}:`);

class SharedStore implements Store {
  readonly prefix: string;
  readonly #send: SendCommand;
  readonly #shared: RedisStore;
  readonly #own = new MemoryStore();

  constructor(send: SendCommand, prefix: string) {
    this.prefix = prefix;
    this.#send = send;
    this.#shared = new RedisStore({ sendCommand: scriptSender(send), prefix });
  }

  async init(options: Options): Promise<void> {
    this.#own.init(options);
    await this.#shared.init(options);
  }

  increment(key: string): Promise<IncrementResponse> {
    return this.#shared.increment(key).catch(() => this.#own.increment(key));
  }

  async decrement(key: string): Promise<void> {
    await this.#send(['EVAL', takeBack, '1', this.prefix + key]).catch(() => this.#own.decrement(key));
  }

  async resetKey(key: string): Promise<void> {
    await this.#own.resetKey(key);
    await this.#shared.resetKey(key).catch(() => undefined);
  }

  shutdown(): void {
    this.#own.shutdown();
  }
}
