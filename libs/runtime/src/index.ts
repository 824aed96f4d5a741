export type { Cache } from './cache.ts';
export type { Clock } from './clock.ts';
export type { Logger } from './logger.ts';
export type { Metrics } from './metrics.ts';
