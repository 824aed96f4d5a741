import type { Cache } from '@messaging-gateway/runtime';
import { Connection, type ConnectionOptions } from './connection.ts';
import type { Send } from './greeting.ts';
import { redisCache } from './redis-cache.ts';

export interface RedisOptions extends ConnectionOptions {
  /** Stands before every key, so that installations can share a server. Default `gw:`. */
  readonly prefix?: string;
}

export interface Redis {
  readonly cache: Cache;
  /** The library's client, for what the port does not offer. */
  readonly client: Connection['client'];
  /** Sends one command, with whole keys. @throws Unavailable at once while Redis is away */
  readonly send: Send;
  readonly prefix: string;
  /** Whether Redis answers now; nothing needs to wait for it. */
  state(): 'connected' | 'away';
  /** Why it does not answer, as far as that is known. */
  fault(): unknown;
  close(): Promise<void>;
}

/** Opens Redis. It may come up later, go away and come back: this connects by itself, for ever. */
export function openRedis({ prefix = 'gw:', ...options }: RedisOptions): Redis {
  const connection = new Connection(options);
  const { client, send } = connection;
  return {
    cache: redisCache({ send, prefix, incarnation: () => connection.incarnation }),
    client,
    send,
    prefix,
    state: () => (connection.connected ? 'connected' : 'away'),
    fault: () => connection.fault,
    close: async () => connection.close(),
  };
}
