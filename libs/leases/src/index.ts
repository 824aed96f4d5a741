export { isFree, standing } from './fence.ts';
export { holdersOf, livingAmong, outgrow } from './holders.ts';
export { Leases } from './leases.ts';
export type { Lease } from './lease.ts';
export { leasesMigration } from './migration.ts';
