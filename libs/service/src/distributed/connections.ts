import { internalOperations, operations } from '@messaging-gateway/contracts';
import type { EventBus, Sealing } from '@messaging-gateway/messaging';
import { openKafka, openRabbitMq, type RabbitMq } from '@messaging-gateway/messaging/brokers';
import { openRedis, type Redis } from '@messaging-gateway/redis';
import { sealsOf, type Clock, type Logger, type SettingsOf } from '@messaging-gateway/runtime';
import { Client } from 'pg';
import type { Ports } from '../ports.ts';
import type { Check } from '../process/health-server.ts';
import { onceInAWhile } from '../process/once-in-a-while.ts';
import { explain, explainAtFirst } from '../process/server-fault.ts';
import { placeOf, waitFor } from '../waiting.ts';
import type { distributedSettings } from '../settings/distributed-settings.ts';
import { kafkaAccess } from '../settings/kafka-access-settings.ts';
import {
  kafkaServerAccess,
  postgresAccess,
  rabbitMqAccess,
  redisAccess,
  type ServerAccess,
} from '../settings/server-access.ts';

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

/** Connections of a process of a distributed installation. Each of them may go away and comes back by itself. */
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
  const access = {
    postgres: postgresAccess(databaseUrl),
    rabbitMq: rabbitMqAccess(amqpUrl),
    kafka: kafkaServerAccess(settings),
    redis: redisAccess(cacheUrl),
  };
  const shared = { clock, log, sealing: sealingOf(settings) };
  const rabbitOptions = { url: amqpUrl, explain: explain(access.rabbitMq), name, ownerOf };
  const rabbit = openRabbitMq({ ...shared, ...rabbitOptions });
  const redis = openRedis({ url: cacheUrl, log, explain: explain(access.redis) });
  const kafka = events
    ? openKafka({
        ...shared,
        brokers,
        ...kafkaAccess(settings),
        clientId: `messaging-gateway ${name}`,
        topicPrefix: settings.kafkaTopicPrefix,
        partitions: settings.kafkaPartitions,
        replication: settings.kafkaReplication,
        retentionDays: settings.kafkaRetentionDays,
      })
    : undefined;
  const mustBeConnected = async (server: Pick<RabbitMq | Redis, 'state' | 'fault'>): Promise<void> => {
    if (server.state() !== 'connected') throw server.fault() ?? new Error(server.state());
  };
  return {
    ports: { operations: rabbit.operations, events: kafka?.events ?? noEvents },
    redis,
    reached: async (signal) => {
      const until = (what: string, how: ServerAccess, attempt: () => Promise<void>, patienceMs = Infinity) =>
        waitFor({ what, attempt, explain: (error) => explainAtFirst(how, error), log, signal, patienceMs });
      const rabbitThere = (): Promise<void> => mustBeConnected(rabbit);
      const cacheThere = (): Promise<void> => mustBeConnected(redis);
      const [, , , isCached] = await Promise.all([
        until(`PostgreSQL at ${placeOf(databaseUrl)}`, access.postgres, () => askDatabase(databaseUrl)),
        until(`RabbitMQ at ${placeOf(amqpUrl)}`, access.rabbitMq, rabbitThere),
        kafka === undefined || until(`Kafka at ${brokers.join(', ')}`, access.kafka, kafka.reach),
        until(`Redis at ${placeOf(cacheUrl)}`, access.redis, cacheThere, cachePatienceMs),
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

/** Undefined without a secret. */
function sealingOf({
  brokerSecret,
  previousBrokerSecrets,
  brokerSeals,
}: Pick<ConnectOptions['settings'], 'brokerSecret' | 'previousBrokerSecrets' | 'brokerSeals'>): Sealing | undefined {
  if (brokerSecret === undefined) return undefined;
  return { seals: sealsOf(brokerSecret, previousBrokerSecrets), acceptsMissing: brokerSeals === 'accepted' };
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
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}
