import { databaseError } from '@messaging-gateway/runtime';
import { Client } from 'pg';

/**
 * Carries out a statement that takes as long as it takes, on a connection of its own.
 *
 * @param signal ends it: the server notices that its client has gone
 * @throws Unavailable when the database is away; the signal's reason when it is aborted
 */
export async function carryOutPatiently(
  url: string,
  schema: string,
  statement: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const options = `-c search_path=${schema},public`;
  const client = new Client({ connectionString: url, options, application_name: `${schema} upkeep`, keepAlive: true });
  client.on('error', () => undefined);
  const end = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', end);
  try {
    await client.connect();
    await endWithClient(client);
    await client.query(statement);
  } catch (error) {
    signal.throwIfAborted();
    throw databaseError(error);
  } finally {
    signal.removeEventListener('abort', end);
    await client.end().catch(() => undefined);
  }
}

/** Has statements of a client that has gone ended within a second, where the server can look for that (PostgreSQL 14). */
export async function endWithClient(client: Client): Promise<void> {
  await client.query(
    `SELECT set_config(name, '1000', false) FROM pg_settings WHERE name = 'client_connection_check_interval'`,
  );
}
