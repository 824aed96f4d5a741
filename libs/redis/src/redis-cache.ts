import type { Cache } from '@messaging-gateway/runtime';
import type { Send } from './greeting.ts';

export interface RedisCacheOptions {
  readonly send: Send;
  /** Stands before each key. */
  readonly prefix: string;
  readonly incarnation: () => string | undefined;
}

/** One more, and the time to live with the first; in one go, so that no counter is left without an end. */
const addOne = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count`;

/** The cache that all replicas share. Every method is one command, and throws `Unavailable` at once while Redis is away. */
export function redisCache({ send, prefix, incarnation }: RedisCacheOptions): Cache {
  const keyOf = (key: string): string => prefix + key;
  const getMany = async (keys: readonly string[]): Promise<(string | undefined)[]> => {
    if (keys.length === 0) return [];
    const values = (await send(['MGET', ...keys.map(keyOf)])) as (string | null)[];
    return values.map((value) => value ?? undefined);
  };
  return {
    getMany,
    get: async (key) => (await getMany([key]))[0],
    set: async (key, value, ttlMs) => {
      // Redis refuses a time to live of nothing; memory forgets such a value at once.
      await send(ttlMs >= 1 ? ['SET', keyOf(key), value, 'PX', String(Math.floor(ttlMs))] : ['DEL', keyOf(key)]);
    },
    delete: async (key) => void (await send(['DEL', keyOf(key)])),
    increment: async (key, ttlMs) => Number(await send(['EVAL', addOne, '1', keyOf(key), String(Math.ceil(ttlMs))])),
    incarnation,
  };
}
