import { commandQueueMigrations } from '@messaging-gateway/messaging';
import { databaseError, type Logger } from '@messaging-gateway/runtime';
import { Client, Pool } from 'pg';
import { migrate } from './migrations.ts';

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
  const pool = new Pool({
    connectionString: url,
    max: 4,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'bus',
    options: '-c idle_in_transaction_session_timeout=15000 -c statement_timeout=60000',
  });
  pool.on('error', (error) => log.warn('Database connection lost', { schema: 'bus', reason: error.message }));
  return pool;
}
