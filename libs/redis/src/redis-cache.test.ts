import { setTimeout as wait } from 'node:timers/promises';
import { silentLogger } from '@messaging-gateway/runtime';
import { cacheSuite } from '@messaging-gateway/runtime/cache-suite';
import { describeWith, testRedis } from '@messaging-gateway/testing';
import { openRedis } from './open-redis.ts';
import { connected } from './testing/connected.ts';

describeWith('redis', 'Redis', () => {
  cacheSuite('Redis', async () => {
    const server = await testRedis();
    // What a busy machine answers late is no fault of the cache.
    const open = () => openRedis({ url: server.url, log: silentLogger, commandTimeoutMs: 60_000 });
    const [one, other] = [open(), open()];
    await Promise.all([connected(one), connected(other)]);
    return {
      cache: one.cache,
      other: other.cache,
      pass: (ms) => wait(ms),
      close: async () => {
        await Promise.all([one.close(), other.close()]);
        await server.drop();
      },
    };
  });
});
