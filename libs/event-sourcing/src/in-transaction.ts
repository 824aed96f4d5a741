import { isUnavailable } from '@messaging-gateway/runtime';
import type { Pool, PoolClient } from 'pg';

/** Runs all or nothing on one connection. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const ignore = (): void => undefined;
  client.on('error', ignore);
  let broken = true;
  try {
    await client.query('BEGIN');
    try {
      const result = await work(client);
      await client.query('COMMIT');
      broken = false;
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      broken = isUnavailable(error);
      throw error;
    }
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}
