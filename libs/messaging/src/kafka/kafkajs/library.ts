import kafkajs from 'kafkajs';
import { restIdleQueues } from './idle-queues.ts';
import { changeNamedSettingsOnly } from './named-settings.ts';

restIdleQueues();
changeNamedSettingsOnly();

/** The values of the library: a CommonJS module whose names only its default export carries. */
export const { AssignerProtocol, CompressionTypes, ConfigResourceTypes, Kafka, logLevel, Partitioners } = kafkajs;
