import { Pool } from 'pg';

/**
 * Connections of the store's own, to the database of the service's pool. Plans are made once, when tables may still be
 * empty: scans of whole tables, and the joins that need them, are switched off, so that a plan is not wrong a minute
 * later. Its statements look up few rows each, by index.
 */
export function writerPool(pool: Pool, connections: number): Pool {
  const own = new Pool({
    ...pool.options,
    password: pool.options.password,
    max: connections,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    keepAlive: true,
    statement_timeout: 30_000,
    query_timeout: 40_000,
    options: `${pool.options.options ?? ''} -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan -c jit=off`,
  });
  // The connection leaves the pool; what ran on it is told by its own call.
  own.on('error', () => undefined);
  own.on('connect', (client) => client.on('error', () => undefined));
  return own;
}
