export { Balance, Heirs } from './balance.ts';
export { isFree, isPassed, standing } from './fence.ts';
export { holdersOf, livingAmong, outgrow } from './holders.ts';
export { Leases } from './leases.ts';
export type { Lease } from './lease.ts';
export { leasesMigration } from './migration.ts';
export { rebalanceSetting, settledAfter } from './rebalancing.ts';
