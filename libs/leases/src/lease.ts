/** A thing that somebody wants to hold: a profile's socket, a lane. */
export interface Leasable {
  readonly key: string;
  readonly organizationId: string;
}

/** The right to hold a key, until somebody has it with a higher epoch. */
export interface Lease extends Leasable {
  readonly epoch: number;
}

/** Rows of a parameterised query, on the schema that has the tables of `leasesMigration`. */
export interface LeaseSql {
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A replica whose last heartbeat is older than this is dead to the others, milliseconds (docs/decisions/0525). */
export const usualTtlMs = 9_000;
