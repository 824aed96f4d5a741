import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fetchKafkaArchives, kafkaArchives } from '../installed/kafka-archives.ts';
import { launchKafka } from '../installed/kafka.ts';
import { findRabbitMq, launchRabbitMq } from '../installed/rabbitmq.ts';
import { launchRedis } from '../installed/redis.ts';
import type { BrokerKind, Launch } from '../server.ts';

export interface Installed {
  readonly launch: Launch;
  /** Undefined when it can be launched, else what to do, in one line. */
  missing(): string | undefined;
}

const runs = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Erlang's port mapper answers `-names` with status 1 when it is installed and does not run. */
const isThere = (command: string): boolean => spawnSync(command, ['-names']).error === undefined;

export const installed: Readonly<Record<BrokerKind, Installed>> = {
  rabbitmq: {
    launch: launchRabbitMq,
    missing: () =>
      findRabbitMq() !== undefined && isThere('epmd')
        ? undefined
        : 'RabbitMQ is missing: install rabbitmq-server (Debian: apt-get install --no-install-recommends rabbitmq-server), start Docker, or set TEST_RABBITMQ_URL',
  },
  kafka: {
    launch: launchKafka,
    missing: missingOfKafka,
  },
  redis: {
    launch: launchRedis,
    missing: () =>
      runs('redis-server', '--version')
        ? undefined
        : 'Redis is missing: install redis-server (Debian: apt-get install --no-install-recommends redis-server), start Docker, or set TEST_REDIS_URL',
  },
};

function missingOfKafka(): string | undefined {
  if (!runs('java', '-version'))
    return 'Kafka is missing: install Java 17 and Maven (Debian: apt-get install --no-install-recommends default-jre-headless maven), start Docker, or set TEST_KAFKA_BROKERS';
  if (existsSync(kafkaArchives)) return undefined;
  if (!runs('mvn', '--version'))
    return 'Kafka is missing: install Maven, which fetches it (Debian: apt-get install --no-install-recommends maven), start Docker, or set TEST_KAFKA_BROKERS';
  const fault = fetchKafkaArchives();
  return fault === undefined
    ? undefined
    : `Kafka is missing and could not be fetched (${fault}): start Docker or set TEST_KAFKA_BROKERS`;
}
