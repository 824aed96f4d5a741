import { setTimeout as delay } from 'node:timers/promises';
import type { OperationRequest } from '@messaging-gateway/contracts';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { openRabbitMq, type RabbitMq, type RabbitMqOptions } from './open-rabbitmq.ts';

/** A machine that stands still for seconds is no outage of the broker. */
const patience = { heartbeat: 60, connectionWaitMs: 60_000 };

/** Another participant; most tests want it connected first. */
export const participant = (url: string, options: Partial<RabbitMqOptions> = {}): RabbitMq =>
  openRabbitMq({ url, clock: systemClock, log: silentLogger, ...patience, ...options });

export async function connected(rabbitMq: RabbitMq): Promise<RabbitMq> {
  await until(() => rabbitMq.state() === 'connected');
  return rabbitMq;
}

/** Waits until a condition holds; a test that waits in vain ends by its time limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10);
}

export const testRequest = (body: unknown, within = 120_000): OperationRequest => ({
  requestId: 'request-1',
  resourceId: '0198c0de-0000-7000-8000-000000000001',
  params: {},
  query: {},
  body,
  deadline: Date.now() + within,
});
