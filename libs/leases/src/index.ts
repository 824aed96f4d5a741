export { standing } from './fence.ts';
export { Leases } from './leases.ts';
export type { LeasesParts } from './leases.ts';
export type { Leasable, Lease, LeaseSql } from './lease.ts';
export { leasesMigration } from './migration.ts';
export { ttlMs } from './times.ts';
