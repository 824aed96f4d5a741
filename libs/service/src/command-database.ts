import { commandQueueMigrations } from '@messaging-gateway/messaging';
import type { Logger } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import { migrate } from './migrating/migrate.ts';
import { openPool } from './pool.ts';

/** Opens the schema `bus`, where commands wait in standalone mode. */
export async function openCommandDatabase(url: string, log: Logger, signal?: AbortSignal): Promise<Pool> {
  const sets = [{ origin: 'messaging', migrations: commandQueueMigrations }];
  await migrate({ url, schema: 'bus', sets, log, signal });
  const session = '-c idle_in_transaction_session_timeout=15000 -c statement_timeout=60000';
  return openPool({ url, session, connections: 4, name: 'bus', log });
}
