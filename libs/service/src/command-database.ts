import { commandQueueMigrations } from '@messaging-gateway/messaging';
import { databaseError, type Logger } from '@messaging-gateway/runtime';
import { Client, type Pool } from 'pg';
import { migrate } from './migrations.ts';
import { openPool } from './pool.ts';

/** Opens the schema `bus`, where commands wait in standalone mode. */
export async function openCommandDatabase(url: string, log: Logger): Promise<Pool> {
  const client = new Client({ connectionString: url, application_name: 'bus migrations' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await migrate(client, 'bus', [{ origin: 'messaging', migrations: commandQueueMigrations }]);
  } catch (error) {
    throw databaseError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
  const session = '-c idle_in_transaction_session_timeout=15000 -c statement_timeout=60000';
  return openPool({ url, session, connections: 4, name: 'bus', log });
}
