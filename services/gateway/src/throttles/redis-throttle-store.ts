import { createHash } from 'node:crypto';
import { MemoryStore, type IncrementResponse, type Options, type Store } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import type { ThrottleStore } from './throttle.ts';

/** Sends one command to Redis, with whole keys. Rejects at once while Redis is away. */
type SendCommand = (command: readonly string[]) => Promise<unknown>;

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

/**
 * Lets scripts be used that Redis may not know yet, or no more after a restart: a script is named by its SHA-1, which
 * needs no Redis, and it is sent along whenever Redis does not know the name. So a store can begin without Redis.
 */
function scriptSender(send: SendCommand): (...command: string[]) => Promise<RedisReply> {
  const scripts = new Map<string, string>();
  return async (...command) => {
    const [name = '', word = '', script = ''] = command;
    if (name === 'SCRIPT' && word === 'LOAD') {
      const sha = createHash('sha1').update(script).digest('hex');
      scripts.set(sha, script);
      return sha;
    }
    try {
      return replyOf(await send(command));
    } catch (error) {
      const known = name === 'EVALSHA' ? scripts.get(word) : undefined;
      if (known === undefined || !(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return replyOf(await send(['EVAL', known, ...command.slice(2)]));
    }
  };
}

function replyOf(given: unknown): RedisReply {
  if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean') return given;
  if (Array.isArray(given)) return given.map(replyOf).flat();
  throw new Error('Redis answered with nothing.');
}
