export { reachOf } from './address.ts';
export { allowedAddress, hostFault, lookupFor } from './addresses.ts';
export type { Reach } from './address.ts';
export { TargetRefused } from './policy.ts';
export type { TargetPolicy } from './policy.ts';
export { guardedPool } from './pool.ts';
export type { GuardedPoolOptions, Pool, ResponseBody } from './pool.ts';
export { resolvedTargetFault, targetFault } from './target.ts';
