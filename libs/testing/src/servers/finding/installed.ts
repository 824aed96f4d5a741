import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fetchKafkaArchives, kafkaArchives } from '../installed/kafka-archives.ts';
import { launchKafka } from '../installed/kafka.ts';
import { findRabbitMq, launchRabbitMq } from '../installed/rabbitmq.ts';
import { launchRedis } from '../installed/redis.ts';
import { launchS3 } from '../installed/s3.ts';
import { buildVersitygw, versitygwProgram } from '../installed/versitygw-program.ts';
import type { BrokerKind, Launch } from '../server.ts';

export interface Installed {
  /** @throws Error with what is missing */
  readonly launch: Launch;
  /** Undefined when it can be launched, else what to do, in one line. Fetches Kafka where Java and Maven are there. */
  missing(): string | undefined;
}

export const installed: Readonly<Record<BrokerKind, Installed>> = {
  rabbitmq: unlessMissing(launchRabbitMq, () =>
    findRabbitMq() !== undefined && isThere('epmd') ? undefined : advice('RabbitMQ', 'rabbitmq-server'),
  ),
  kafka: unlessMissing(launchKafka, missingOfKafka),
  redis: unlessMissing(launchRedis, () => (isThere('redis-server') ? undefined : advice('Redis', 'redis-server'))),
  s3: unlessMissing(launchS3, missingOfS3),
};

function unlessMissing(launch: Launch, missing: Installed['missing']): Installed {
  return {
    missing,
    launch: async (folder, secured) => {
      const fault = missing();
      if (fault !== undefined) throw new Error(fault);
      return launch(folder, secured);
    },
  };
}

function missingOfKafka(): string | undefined {
  if (!isThere('java') || javaVersion() < 17) return advice('Kafka', 'default-jre-headless maven');
  if (existsSync(kafkaArchives)) return undefined;
  if (!isThere('mvn')) return advice('Kafka', 'maven');
  const fault = fetchKafkaArchives();
  return fault === undefined ? undefined : `Kafka is not there and Maven could not fetch it (${fault})`;
}

function missingOfS3(): string | undefined {
  if (existsSync(versitygwProgram)) return undefined;
  if (!isThere('go'))
    return 'An S3 server is not there: install Go 1.26 or later, which builds versitygw, or set TEST_S3_URL';
  const fault = buildVersitygw();
  return fault === undefined ? undefined : `An S3 server is not there and Go could not build versitygw (${fault})`;
}

/** `openjdk version "17.0.2" …`, said on standard error. */
const javaVersion = (): number =>
  Number(/version "(\d+)/.exec(spawnSync('java', ['-version'], { encoding: 'utf8' }).stderr)?.[1] ?? 0);

const variables: Readonly<Record<string, string>> = {
  RabbitMQ: 'TEST_RABBITMQ_URL',
  Kafka: 'TEST_KAFKA_BROKERS',
  Redis: 'TEST_REDIS_URL',
};

const advice = (name: string, packages: string): string =>
  `${name} is not there: install it (Debian 12 or later: apt-get install --no-install-recommends ${packages}), ` +
  `start Docker, or set ${variables[name]}`;

const isThere = (command: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => folder !== '' && existsSync(`${folder}/${command}`));
