import { setTimeout as delay } from 'node:timers/promises';
import type { CommandEnvelope, OperationRequest } from '@messaging-gateway/contracts';
import { inSchema } from '@messaging-gateway/event-sourcing';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { testDatabase } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import type { ConsumerHome } from '../events.ts';
import { consumerMigrations } from '../migrations.ts';
import { openRabbitMq, type RabbitMq, type RabbitMqOptions } from './open-rabbitmq.ts';

/** The commands that tests use. */
const commands = ['Slow', ...Array.from({ length: 20 }, (_, n) => `Command${n + 1}`)].map((name) => ({
  owner: 'outbound',
  name,
}));

/** A machine that stands still for seconds is no outage of the broker. */
const patience = { heartbeat: 60, connectionWaitMs: 60_000, sendWaitMs: 600_000 };

/** Another participant; most tests want it connected first. */
export const participant = (url: string, options: Partial<RabbitMqOptions> = {}): RabbitMq =>
  openRabbitMq({ url, clock: systemClock, log: silentLogger, commands, ...patience, ...options });

export async function connected(rabbitMq: RabbitMq): Promise<RabbitMq> {
  await until(() => rabbitMq.state() === 'connected');
  return rabbitMq;
}

/** Waits until a condition holds; a test that waits in vain ends by its time limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10);
}

/** The tables of a consumer, on a database of a test's own. */
export async function testHome(): Promise<{ home: ConsumerHome; url: string; drop(): Promise<void> }> {
  const database = await testDatabase();
  const pool = new Pool({ connectionString: database.url });
  // The server may end connections faster than the pool closes them.
  pool.on('error', () => undefined);
  const tables = consumerMigrations.map(({ sql }) => inSchema(sql, 'outbound')).join('\n');
  await pool.query(`create schema outbound; ${tables}`);
  const drop = async (): Promise<void> => {
    await pool.end();
    await database.drop();
  };
  return { home: { pool, schema: 'outbound' }, url: database.url, drop };
}

export const testRequest = (body: unknown, within = 120_000): OperationRequest => ({
  requestId: 'request-1',
  resourceId: '0198c0de-0000-7000-8000-000000000001',
  params: {},
  query: {},
  body,
  deadline: Date.now() + within,
});

export const testCommand = (name: string, key: string, n: number): CommandEnvelope => ({
  id: `${name}-${key}-${n}`,
  name,
  key,
  data: { n },
  requestId: 'request-1',
});
