export { gatewaySettings } from './config.ts';
export type { GatewaySettings } from './config.ts';
export { openGatewayPool } from './database.ts';
export { compileChecks, createGateway } from './gateway.ts';
export type { Gateway, GatewayOptions } from './gateway.ts';
export { gatewayMigrations } from './idempotency/schema.ts';
export type { AskReadiness, ReadinessState } from './health/readiness.ts';
export { redisThrottleStore } from './throttles/redis-throttle-store.ts';
export type { ThrottleStore } from './throttles/throttle.ts';
