import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import amqp from 'amqplib';
import pg from 'pg';
import type { Admin } from 'kafkajs';
import { createClient } from '@redis/client';
import { eventually } from '../api-world.ts';
import { patientKafka } from '../patient-kafka.ts';
import { describeWithOwn } from './available.ts';
import { ownKafka, ownPostgres, ownRabbitMq, ownRedis } from './own.ts';

/** A queue younger than that does not survive a kill: see docs/decisions/0244-queues-are-declared-at-connect.md. */
const youngQueueMs = 4000;

describe('PostgreSQL of a test', () => {
  it('stays down when it is killed, and comes back on its port with its rows', async () => {
    const server = await ownPostgres();
    await query(server.url, 'CREATE TABLE kept (id int)');
    await server.kill();
    await expect(query(server.url, 'table kept')).rejects.toThrow();
    await server.start();
    await query(server.url, 'table kept');
    await server.stop();
    await expect(query(server.url, 'table kept')).rejects.toThrow();
    await server.start();
    await query(server.url, 'table kept');
    await server.drop();
  });
});

describeWithOwn('redis', 'Redis of a test', () => {
  it('comes back on its port with what it acknowledged', async () => {
    const server = await ownRedis();
    await onRedis(server.url, (client) => client.set('kept', 'yes'));
    await server.kill();
    await server.start();
    expect(await onRedis(server.url, (client) => client.get('kept'))).toBe('yes');
    await server.drop();
    await expect(onRedis(server.url, (client) => client.ping())).rejects.toThrow();
  });
});

describeWithOwn('rabbitmq', 'RabbitMQ of a test', () => {
  it('comes back on its port with what it confirmed', async () => {
    const server = await ownRabbitMq();
    await onRabbitMq(server.url, async (channel) => {
      await channel.assertQueue('kept', { durable: true, arguments: { 'x-queue-type': 'quorum' } });
      await setTimeout(youngQueueMs);
      channel.sendToQueue('kept', Buffer.from('confirmed'), { persistent: true });
      await channel.waitForConfirms();
    });
    await server.kill();
    await expect(amqp.connect(server.url)).rejects.toThrow();
    await server.start();
    await onRabbitMq(server.url, async (channel) => {
      const message = await eventually(async () => (await channel.get('kept')) || undefined);
      expect(message.content.toString()).toBe('confirmed');
    });
    await server.drop();
  });
});

describeWithOwn('kafka', 'Kafka of a test', () => {
  it('comes back on its port with its topics', async () => {
    const server = await ownKafka();
    const topics = [{ topic: 'kept' }];
    await onKafka(server.brokers, (admin) => admin.createTopics({ waitForLeaders: false, topics }));
    await server.kill();
    await server.start();
    const isThere = async (admin: Admin) => ((await admin.listTopics()).includes('kept') ? true : undefined);
    await onKafka(server.brokers, (admin) => eventually(() => isThere(admin)));
    await server.drop();
  });
});

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function onRedis<T>(url: string, work: (client: ReturnType<typeof createClient>) => Promise<T>): Promise<T> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client as ReturnType<typeof createClient>);
  } finally {
    client.destroy();
  }
}

async function onRabbitMq(url: string, work: (channel: amqp.ConfirmChannel) => Promise<void>): Promise<void> {
  const connection = await amqp.connect(url);
  await work(await connection.createConfirmChannel());
  await connection.close();
}

async function onKafka<T>(brokers: readonly string[], work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = patientKafka(brokers).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
