import pg from 'pg';
import { superuser } from './cluster.ts';

/** A server's answer to somebody who wants in; `silent`: nothing, or something that says nothing about it. */
export type Answer = 'welcome' | 'other password' | 'not yet' | 'silent';

/** Asks the server on a loopback port. @param timeoutMs how long the connection may take, milliseconds */
export async function ask(port: number, password: string, timeoutMs: number): Promise<Answer> {
  const client = new pg.Client({
    connectionString: databaseUrl(port, password, 'postgres'),
    connectionTimeoutMillis: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return 'welcome';
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '28P01' || code === '28000') return 'other password';
    return code === '57P03' ? 'not yet' : 'silent';
  } finally {
    await client.end().catch(() => undefined);
  }
}

export const databaseUrl = (port: number, password: string, database: string): string =>
  `postgresql://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** Makes the gateway's database unless it is there. */
export async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(port, password, 'postgres') });
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = 'gateway'");
    if (found.rowCount === 0) await client.query('CREATE DATABASE gateway');
  } finally {
    await client.end();
  }
}
