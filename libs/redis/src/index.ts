export { openRedis } from './open-redis.ts';
export type { Redis } from './open-redis.ts';
