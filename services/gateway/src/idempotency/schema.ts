import { migrate, type MigrationSet } from '@messaging-gateway/service';
import type { Logger } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';

/**
 * The text of a step stays as it was released, keywords too: its checksum is noted where it was applied.
 * `key_hash` names scope and key without showing either; `answer` is sealed.
 * A row is answered when it has a status, running while its lease holds, else open: the next repeat goes on with it.
 */
export const gatewayMigrations: MigrationSet = {
  origin: 'gateway',
  migrations: [
    {
      name: '20260101000000-idempotency-keys',
      sql: `
      create table idempotency_keys (
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
      create index idempotency_keys_by_expiry on idempotency_keys (expires_at);`,
    },
    {
      // Bytes that an organization has put into the media store on a day (since 1970).
      name: '20261123000000-media-days',
      sql: `
      create table media_days (
        organization_id uuid not null,
        day int not null,
        bytes bigint not null,
        primary key (organization_id, day)
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
