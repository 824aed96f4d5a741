import type { KafkaConfig } from 'kafkajs';
import type { KafkaClient } from '../client.ts';
import type { KafkaConnectionOptions } from '../options.ts';
import { adminOf } from './admin.ts';
import { logOf } from './log.ts';
import { socketsOver } from './sockets.ts';
import { joinGroup } from './member.ts';
import { openProducer } from './producer.ts';
import { Kafka } from './library.ts';

/**
 * How long the library tries by itself. Short: whoever uses it tries again for ever, and can be stopped meanwhile.
 * Every value is given, because the library takes others for its own tests when NODE_ENV is `test`.
 */
const retry = { initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 2, retries: 4 } as const;

/** kafkajs behind the port. Connects with the first request. */
export function kafkaJsClient(options: KafkaConnectionOptions): KafkaClient {
  const kafka = new Kafka(configOf(options));
  const admin = adminOf(kafka);
  return {
    ...admin,
    producer: () => openProducer(kafka, retry),
    join: (group, topics, listener) => joinGroup(kafka, { group, topics, listener, retry }),
  };
}

function configOf({ brokers, clientId, tls, credentials, reachedAt, log }: KafkaConnectionOptions): KafkaConfig {
  return {
    brokers: [...brokers],
    clientId,
    ...(tls !== undefined && { ssl: typeof tls === 'boolean' ? tls : { ca: [tls.ca] } }),
    ...(credentials && { sasl: saslOf(credentials) }),
    ...(reachedAt && { socketFactory: socketsOver(reachedAt) }),
    connectionTimeout: 3_000,
    authenticationTimeout: 10_000,
    requestTimeout: 15_000,
    retry,
    logCreator: logOf(log),
  };
}

const saslOf = ({ mechanism, username, password }: NonNullable<KafkaConnectionOptions['credentials']>) =>
  ({ mechanism, username, password }) as NonNullable<KafkaConfig['sasl']>;
