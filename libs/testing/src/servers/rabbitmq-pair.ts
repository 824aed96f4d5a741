import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@messaging-gateway/postgres';
import { findRabbitMq, launchRabbitMq } from './installed/rabbitmq.ts';
import type { Server } from './server.ts';

/** RabbitMQ as a cluster of two nodes, each with an address of its own. */
export interface RabbitMqPair {
  readonly nodes: readonly [Server, Server];
  drop(): Promise<void>;
}

/** A pair can be had: only an installed RabbitMQ can be started twice beside each other. */
export const rabbitMqPairAvailable = (): boolean => findRabbitMq() !== undefined;

/** Takes 10 to 20 s. */
export async function rabbitMqPair(): Promise<RabbitMqPair> {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-rabbitmq-'));
  const shared = { epmdPort: await freePort(), cookie: randomBytes(16).toString('hex') };
  const first = await launchRabbitMq(join(folder, 'first'), undefined, shared);
  const end = async (others: readonly Server[]): Promise<void> => {
    for (const server of [...others, first]) await server.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const joined = { ...shared, first: first.address.url };
    const second = await launchRabbitMq(join(folder, 'second'), undefined, joined);
    return { nodes: [first, second], drop: () => end([second]) };
  } catch (error) {
    await end([]);
    throw error;
  }
}
