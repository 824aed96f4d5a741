import { setTimeout as delay } from 'node:timers/promises';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { openRabbitMq, type RabbitMq, type RabbitMqOptions } from './open-rabbitmq.ts';

/** The commands that the suite uses. */
export const testCommands = ['Slow', ...Array.from({ length: 20 }, (_, n) => `Command${n + 1}`)].map((name) => ({
  owner: 'outbound',
  name,
}));

/** Another participant; most tests want it connected first. */
export const participant = (url: string, options: Partial<RabbitMqOptions> = {}): RabbitMq =>
  openRabbitMq({ url, clock: systemClock, log: silentLogger, commands: testCommands, ...options });

export async function connected(rabbitMq: RabbitMq): Promise<RabbitMq> {
  while (rabbitMq.state() !== 'connected') await delay(10);
  return rabbitMq;
}
