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
const retry = { initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 2, retries: 3 } as const;

/**
 * A member of a group tries longer, about 25 s: as long as it is the same member it goes on where it was, while a new
 * one waits until the broker has given up the old one.
 */
const patience = { ...retry, retries: 25 } as const;

/** kafkajs behind the port. Connects with the first request. */
export function kafkaJsClient(options: KafkaConnectionOptions): KafkaClient {
  const kafka = new Kafka({ ...configOf(options), retry });
  const patient = new Kafka({ ...configOf(options), retry: patience });
  const admin = adminOf(kafka);
  const { sessionTimeoutMs, fetchWaitMs } = options;
  return {
    ...admin,
    producer: () => openProducer(kafka, retry),
    join: (group, topics, listener) =>
      joinGroup(patient, { group, topics, listener, retry: patience, sessionTimeoutMs, fetchWaitMs }),
  };
}

function configOf({
  brokers,
  clientId,
  tls,
  credentials,
  reachedAt,
  requestTimeoutMs = 8_000,
  log,
}: KafkaConnectionOptions): KafkaConfig {
  return {
    brokers: [...brokers],
    clientId,
    ...(tls !== undefined && { ssl: typeof tls === 'boolean' ? tls : { ca: [tls.ca] } }),
    ...(credentials && { sasl: saslOf(credentials) }),
    ...(reachedAt && { socketFactory: socketsOver(reachedAt) }),
    connectionTimeout: 3_000,
    authenticationTimeout: 10_000,
    requestTimeout: requestTimeoutMs,
    logCreator: logOf(log),
  };
}

const saslOf = ({ mechanism, username, password }: NonNullable<KafkaConnectionOptions['credentials']>) =>
  ({ mechanism, username, password }) as NonNullable<KafkaConfig['sasl']>;
