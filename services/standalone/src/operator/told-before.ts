import { openPassingOver } from '@messaging-gateway/messaging/brokers';
import { createLogger, readSettings } from '@messaging-gateway/runtime';
import {
  brokerSettings,
  explainAtFirst,
  kafkaAccess,
  kafkaServerAccess,
  processSettings,
} from '@messaging-gateway/service';
import { storages } from '../services.ts';

const { kafkaBrokers, kafkaTopicPrefix, kafkaTls, kafkaUsername, kafkaPassword, kafkaSaslMechanism } = brokerSettings;
const access = { kafkaTls, kafkaUsername, kafkaPassword, kafkaSaslMechanism };
const { logLevel } = processSettings;

/** Facts that were told to Kafka before a restore. */
export interface ToldBefore {
  /**
   * Passes over records that were told before, which no service takes in any more; what the restored journals hold of
   * them is told again.
   */
  passOver(): Promise<void>;
  close(): Promise<void>;
}

const nothing: ToldBefore = { passOver: async () => undefined, close: async () => undefined };

/** @throws Error when there is a Kafka that does not answer: before anything is changed */
export async function openToldBefore(environment: NodeJS.ProcessEnv): Promise<ToldBefore> {
  const settings = readSettings({ kafkaBrokers, kafkaTopicPrefix, ...access, logLevel }, environment);
  const { kafkaBrokers: brokers, kafkaTopicPrefix: topicPrefix } = settings;
  if (brokers === undefined) return nothing;
  const kafka = await openPassingOver({
    brokers,
    ...kafkaAccess(settings),
    clientId: 'messaging-gateway restore',
    topicPrefix,
    log: createLogger({ level: settings.logLevel, json: false }),
  }).catch((error: unknown) => {
    const reason = explainAtFirst(kafkaServerAccess(settings), error);
    throw new Error(`Nothing was restored: Kafka does not answer. ${reason}`, { cause: error });
  });
  return {
    passOver: () =>
      kafka.passOver(Object.keys(storages)).catch((error: unknown) => {
        throw new Error(
          `The data are there, but services would still take in what Kafka was told of before: run \`npm run restore -- --adopt\` before they start. ${(error as Error).message}`,
          { cause: error },
        );
      }),
    close: kafka.close,
  };
}
