export { isFree, standing } from './fence.ts';
export { holdersOf, livingAmong, outgrow } from './holders.ts';
export { Leases } from './leases.ts';
export type { LeasesParts } from './leases.ts';
export type { Leasable, Lease, LeaseSql } from './lease.ts';
export { leasesMigration } from './migration.ts';
