/**
 * The tables of leases, in the schema of the service that owns what is leased. `{schema}` is replaced.
 * `beating_since` is when the present unbroken run of heartbeats began.
 */
export const leasesMigration = {
  name: '0001-replicas-and-leases',
  sql: `
    create table {schema}.replicas (
      id uuid primary key,
      heartbeat_at timestamptz(3) not null,
      beating_since timestamptz(3) not null,
      is_draining boolean not null default false
    );
    create table {schema}.leases (
      key text primary key,
      organization_id uuid not null,
      replica_id uuid,
      epoch bigint not null,
      claimed_at timestamptz(3) not null
    );
    create index leases_of_replica on {schema}.leases (replica_id);
  `,
} as const;
