import { migrate, type MigrationSet } from '@messaging-gateway/service';
import type { Logger } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';

/**
 * `key_hash` names scope and key without showing either; `answer` is sealed.
 * A row is answered when it has a status, running while its lease holds, else open: the next repeat goes on with it.
 */
export const gatewayMigrations: MigrationSet = {
  origin: 'gateway',
  migrations: [
    {
      name: '20260101000000-idempotency-keys',
      sql: `
      CREATE TABLE idempotency_keys (
        key_hash bytea PRIMARY KEY,
        fingerprint bytea NOT NULL,
        resource_id uuid NOT NULL,
        claim uuid,
        lease_until timestamptz,
        unsettled boolean NOT NULL DEFAULT false,
        status smallint,
        answer bytea,
        expires_at timestamptz NOT NULL
      ) WITH (fillfactor = 70);
      CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);`,
    },
    {
      // Bytes that an organization has put into the media store on a day (since 1970).
      name: '20261123000000-media-days',
      sql: `
      CREATE TABLE media_days (
        organization_id uuid NOT NULL,
        day int NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (organization_id, day)
      );`,
    },
  ],
};

/** Brings the gateway's own schema up to date. Replicas that start together take turns. */
export async function prepareSchema({
  database,
  log,
  signal,
}: {
  readonly database: Pool;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}): Promise<void> {
  const url = database.options.connectionString ?? '';
  await migrate({ url, schema: 'gateway', sets: [gatewayMigrations], log, signal });
}
