import { databaseError } from '@messaging-gateway/runtime';
import { Client } from 'pg';

/** Runs work on a connection of its own, without the time limits of the services' sessions. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'backup', keepAlive: true });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const name of ['statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout'])
      await client.query(`SET ${name} = 0`);
    // Names in definitions are written in full, and values in one form, whatever the server's settings are.
    await client.query(
      `SET search_path = ''; SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET timezone = 'UTC'; SET client_encoding = 'UTF8'`,
    );
    return await work(client);
  } catch (error) {
    throw databaseError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
