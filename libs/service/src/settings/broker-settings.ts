import { setting, type Setting } from '@messaging-gateway/runtime';
import { kafkaAccessSettings } from './kafka-access-settings.ts';
import { urlOf } from './storage-settings.ts';

const brokers = (text: string | undefined): readonly string[] | undefined => {
  if (text === undefined) return undefined;
  const given = setting.list(text);
  if (given.length === 0 || given.some((broker) => !/^[^\s:/]+:\d+$|^\[[^\]]+\]:\d+$/.test(broker)))
    throw new Error('must be a comma-separated list of <host>:<port>');
  return given;
};

/** RabbitMQ and Kafka: with both, each service is a process of its own. */
export const brokerSettings = {
  amqpUrl: {
    variable: 'AMQP_URL',
    byDefault: 'none: one process',
    means:
      'RabbitMQ 3.10 or later: `amqp://<user>:<password>@<host>:<port>/<vhost>`, or `amqps://`. Together with `KAFKA_BROKERS`, for `npm run start:distributed`.',
    secret: true,
    read: urlOf(/^amqps?:\/\//, 'amqp:// or amqps://'),
  },
  kafkaBrokers: {
    variable: 'KAFKA_BROKERS',
    byDefault: 'none: one process',
    means: 'Kafka 3.9 or later: comma-separated `<host>:<port>`. Together with `AMQP_URL`.',
    read: brokers,
  },
  ...kafkaAccessSettings,
  brokerSecret: {
    variable: 'BROKER_SECRET',
    byDefault: 'none: whoever can write to RabbitMQ, Kafka or Redis is believed',
    means:
      'At least 32 characters, the same for all services. Requests, answers and events are sealed with it (HMAC), and what has no seal of the installation is not believed.',
    secret: true,
    read: (text: string | undefined, environment: NodeJS.ProcessEnv) =>
      text === undefined ? undefined : setting.strongSecret()(text, environment),
  },
  previousBrokerSecrets: {
    variable: 'BROKER_SECRET_PREVIOUS',
    byDefault: 'none',
    means: 'Comma-separated former values of `BROKER_SECRET`, or coming ones: believed, not sealed with.',
    secret: true,
    read: (text: string | undefined, environment: NodeJS.ProcessEnv) =>
      setting.list(text).map((one) => setting.strongSecret()(one, environment)),
  },
  brokerSeals: {
    variable: 'BROKER_SEALS',
    byDefault: 'required',
    means:
      '`accepted`: also believes what has no seal, as long as some processes have no `BROKER_SECRET` yet, and then for KAFKA_RETENTION_DAYS.',
    read: setting.word(['required', 'accepted'], 'required'),
  },
  kafkaTopicPrefix: {
    variable: 'KAFKA_TOPIC_PREFIX',
    byDefault: 'none',
    means: 'Stands before the name of each topic and consumer group, so that installations can share a cluster.',
    read: (text: string | undefined) => {
      if (text !== undefined && !/^[\w.-]{1,100}$/.test(text)) throw new Error('may hold letters, digits, . _ and -');
      return text ?? '';
    },
  },
  kafkaPartitions: {
    variable: 'KAFKA_PARTITIONS',
    byDefault: '12',
    means: 'Partitions of the topics that are made: so many replicas of a service can take events at the same time.',
    read: setting.integer(12, 1, 1000),
  },
  kafkaReplication: {
    variable: 'KAFKA_REPLICATION',
    byDefault: '1',
    means: 'Copies of each topic, at most the number of brokers; 3 in production.',
    read: setting.integer(1, 1, 10),
  },
  kafkaRetentionDays: {
    variable: 'KAFKA_RETENTION_DAYS',
    byDefault: '7',
    means:
      'How long Kafka keeps events, days; fractions are allowed. No longer than EVENT_RETENTION_DAYS: webhooks know what is told again after a restore by the events that they keep.',
    read: setting.fraction(7),
  },
} as const satisfies Record<string, Setting<unknown>>;
