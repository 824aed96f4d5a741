import type { Logger } from '@messaging-gateway/runtime';
import pg from 'pg';

const connections = 8;

/** The connections of the gateway's own schema. They bear the loss of the server. */
export function openGatewayPool(url: string, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'gateway',
  });
  pool.on('error', (error) => log.warn('Database connection lost', { schema: 'gateway', reason: error.message }));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
