import type { Pool } from 'pg';

/** Any number will do, as long as nobody else locks with it while tables are made. */
const lock = 7_203_410_915;

/**
 * The gateway's own schema. `key_hash` names scope and key without showing either; `answer` is sealed.
 * A row is answered when it has a status, running while its lease holds, else open: the next repeat goes on with it.
 */
const statements = `
  create schema if not exists gateway;
  create table if not exists gateway.idempotency_keys (
    key_hash bytea primary key,
    fingerprint bytea not null,
    resource_id uuid not null,
    claim uuid,
    lease_until timestamptz,
    unsettled boolean not null default false,
    status smallint,
    answer bytea,
    expires_at timestamptz not null
  ) with (fillfactor = 70);
  create index if not exists idempotency_keys_by_expiry on gateway.idempotency_keys (expires_at);
`;

/** Makes the tables unless they are there. Replicas that start together take turns. */
export async function prepareSchema(database: Pool): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    await client.query(statements);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
