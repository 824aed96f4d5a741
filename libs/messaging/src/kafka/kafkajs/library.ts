import kafkajs from 'kafkajs';
import { restIdleQueues } from './idle-queues.ts';

restIdleQueues();

/** The values of the library: a CommonJS module whose names only its default export carries. */
export const { AssignerProtocol, CompressionTypes, ConfigResourceTypes, ConfigSource, Kafka, logLevel, Partitioners } =
  kafkajs;
