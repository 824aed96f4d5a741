import { cacheSuite } from './cache.suite.ts';
import { memoryCache } from './memory-cache.ts';
import { testClock } from './test-clock.ts';

cacheSuite('memory', async () => {
  const clock = testClock();
  const cache = memoryCache(clock);
  return { cache, other: cache, pass: async (ms) => clock.advance(ms), close: async () => undefined };
});
