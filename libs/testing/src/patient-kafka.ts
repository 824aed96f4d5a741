import kafkajs, { type Kafka } from 'kafkajs';
import { restIdleQueues } from './idle-kafka-queues.ts';

restIdleQueues();

/** The library tries less when NODE_ENV is `test`. A broker that has just started loads its groups for a while. */
const retry = { initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 2, retries: 60 } as const;

/** How long a busy broker may take for what it is asked, milliseconds. */
export const kafkaAnswerMs = 120_000;

/** A client of Kafka that waits for a busy machine; the library gives a connection one second. */
export const patientKafka = (brokers: readonly string[]): Kafka =>
  new kafkajs.Kafka({
    clientId: 'test',
    brokers: [...brokers],
    logLevel: kafkajs.logLevel.NOTHING,
    connectionTimeout: 30_000,
    requestTimeout: kafkaAnswerMs,
    retry,
  });
