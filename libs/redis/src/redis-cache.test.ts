import { setTimeout as wait } from 'node:timers/promises';
import { silentLogger } from '@messaging-gateway/runtime';
import { cacheSuite } from '@messaging-gateway/runtime/cache-suite';
import { describeWith, testRedis } from '@messaging-gateway/testing';
import { openRedis } from './open-redis.ts';
import { connected } from './testing/connected.ts';

describeWith('redis', 'Redis', () => {
  cacheSuite('Redis', async () => {
    const server = await testRedis();
    const [one, other] = [
      openRedis({ url: server.url, log: silentLogger }),
      openRedis({ url: server.url, log: silentLogger }),
    ];
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
