import type { Logger } from '@messaging-gateway/runtime';
import { Pool } from 'pg';

export interface PoolOptions {
  readonly url: string;
  /** Settings that each session starts with: `-c name=value …`. */
  readonly session: string;
  /** Connections, at most. They are opened when they are needed and closed when they were idle for 30 s. */
  readonly connections: number;
  /** Shown by the server. */
  readonly name: string;
  readonly log: Logger;
}

const idleMs = 30_000;

/** A pool that bears the loss of its connections, idle or lent out: whoever uses one learns it from the statement. */
export function openPool({ url, session, connections, name, log }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    options: session,
    max: connections,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // The server ends statements after a minute; a network that lost them is silent for a quarter of an hour.
    query_timeout: 70_000,
    application_name: name,
  });
  pool.on('error', (error) => log.warn('Database connection lost', { pool: name, reason: error.message }));
  // A client that is lent out has no listener of the pool's: an error between two statements would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
