import { connect as dial } from 'node:net';
import { commands as catalogue, internalOperations, operations } from '@messaging-gateway/contracts';
import type { EventBus } from '@messaging-gateway/messaging';
import { openKafka, openRabbitMq } from '@messaging-gateway/messaging/brokers';
import { openRedis, type Redis } from '@messaging-gateway/redis';
import type { Clock, Logger, SettingsOf } from '@messaging-gateway/runtime';
import { Client } from 'pg';
import type { Ports } from '../ports.ts';
import type { Check } from '../process/health-server.ts';
import { onceInAWhile } from '../process/once-in-a-while.ts';
import { placeOf, waitFor } from '../process/waiting.ts';
import type { distributedSettings } from '../settings/distributed-settings.ts';
import { kafkaAccess } from '../settings/kafka-access-settings.ts';

/** A cache that stays away so long is not waited for, milliseconds: everything works without it, if slower. */
const cachePatienceMs = 15_000;
const dialMs = 2_000;

export interface ConnectOptions {
  readonly settings: SettingsOf<typeof distributedSettings>;
  /** Shown by the servers. */
  readonly name: string;
  /** Whether events are taken in or told. Without it Kafka is left alone. */
  readonly events: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What a process of a distributed installation is connected with. Each of them may go away and comes back by itself. */
export interface Connections {
  readonly ports: Ports;
  readonly redis: Redis;
  /** Resolves when all are there; the cache is waited for 15 s at most. Says for what it waits. */
  reached(signal: AbortSignal): Promise<void>;
  /** How they stand now. */
  checks(): Promise<Readonly<Record<'database' | 'rabbitmq' | 'kafka' | 'cache', Check>>>;
  close(): Promise<void>;
}

const owners = new Map([...operations, ...internalOperations].map(({ name, owner }) => [name, owner]));
const ownerOf = (operation: string): string => owners.get(operation) ?? operation;

/** Opens them all; returns at once. */
export function openConnections({ settings, name, events, clock, log }: ConnectOptions): Connections {
  const { databaseUrl, amqpUrl, cacheUrl, kafkaBrokers: brokers } = settings;
  const known = catalogue.map(({ owner, name: command }) => ({ owner, name: command }));
  const rabbit = openRabbitMq({ url: amqpUrl, clock, log, name, commands: known, ownerOf });
  const redis = openRedis({ url: cacheUrl, log });
  const kafka = events
    ? openKafka({
        brokers,
        ...kafkaAccess(settings),
        clientId: `messaging-gateway ${name}`,
        topicPrefix: settings.kafkaTopicPrefix,
        partitions: settings.kafkaPartitions,
        replication: settings.kafkaReplication,
        retentionDays: settings.kafkaRetentionDays,
        clock,
        log,
      })
    : undefined;
  const mustBe = (is: boolean, reason: string) => async (): Promise<void> => {
    if (!is) throw new Error(reason);
  };
  return {
    ports: { operations: rabbit.operations, commands: rabbit.commands, events: kafka?.events ?? noEvents },
    redis,
    reached: async (signal) => {
      const until = (what: string, attempt: () => Promise<void>, patienceMs?: number): Promise<boolean> =>
        waitFor({ what, attempt, log, signal, ...(patienceMs !== undefined && { patienceMs }) });
      const cacheThere = (): Promise<void> => mustBe(redis.state() === 'connected', 'not connected')();
      const [, , , isCached] = await Promise.all([
        until(`PostgreSQL at ${placeOf(databaseUrl)}`, () => askDatabase(databaseUrl)),
        until(`RabbitMQ at ${placeOf(amqpUrl)}`, () => mustBe(rabbit.state() === 'connected', rabbit.state())()),
        events ? until(`Kafka at ${brokers.join(', ')}`, () => dialAny(brokers)) : true,
        until(`Redis at ${placeOf(cacheUrl)}`, cacheThere, cachePatienceMs),
      ]);
      if (!isCached) log.warn('Starting without Redis: throttles and caches are of this process until it is there');
    },
    checks: onceInAWhile(async () => ({
      database: await askDatabase(databaseUrl).then(up, down),
      rabbitmq: rabbit.state() === 'connected' ? 'up' : 'down',
      kafka: kafka === undefined || kafka.state() === 'connected' ? 'up' : 'down',
      cache: redis.state() === 'connected' ? 'up' : 'down',
    })),
    close: async () => {
      await Promise.allSettled([kafka?.close(), rabbit.close()]);
      await redis.close();
    },
  };
}

const up = (): Check => 'up';
const down = (): Check => 'down';

const noEvents: EventBus = {
  subscribe: () => Promise.reject(new Error('This process takes no events.')),
  publishFrom: () => Promise.reject(new Error('This process tells no events.')),
};

async function askDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: dialMs, application_name: 'readiness' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @throws AggregateError when no broker takes a connection */
async function dialAny(brokers: readonly string[]): Promise<void> {
  await Promise.any(brokers.map(dialOne));
}

function dialOne(broker: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${broker}`);
  return new Promise((resolve, reject) => {
    const socket = dial({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port), timeout: dialMs });
    const end = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.once('connect', () => end(resolve));
    socket.once('timeout', () => end(() => reject(new Error(`${broker} does not answer`))));
    socket.once('error', (error) => end(() => reject(error)));
  });
}
