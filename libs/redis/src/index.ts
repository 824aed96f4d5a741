export { openRedis } from './open-redis.ts';
export type { Redis, RedisOptions } from './open-redis.ts';
