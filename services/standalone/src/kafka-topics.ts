// `npm run kafka:topics [-- --raise-partitions]`: makes the topics of all kinds and brings their settings into line.
import { prepareTopics, type PreparedTopics } from '@messaging-gateway/messaging/brokers';
import { createLogger, readSettings, required } from '@messaging-gateway/runtime';
import {
  brokerSettings,
  explainAtFirst,
  kafkaAccess,
  kafkaServerAccess,
  processSettings,
} from '@messaging-gateway/service';
import { say } from './command.ts';

const { amqpUrl: _, kafkaBrokers, ...others } = brokerSettings;
const table = { ...others, kafkaBrokers: required(kafkaBrokers), logLevel: processSettings.logLevel };

try {
  const settings = readSettings(table, process.env);
  const done = await prepareTopics({
    brokers: settings.kafkaBrokers,
    ...kafkaAccess(settings),
    clientId: 'messaging-gateway topics',
    topicPrefix: settings.kafkaTopicPrefix,
    partitions: settings.kafkaPartitions,
    replication: settings.kafkaReplication,
    retentionDays: settings.kafkaRetentionDays,
    raisePartitions: process.argv.includes('--raise-partitions'),
    log: createLogger({ level: settings.logLevel, json: false }),
  }).catch((error: unknown) => {
    throw new Error(explainAtFirst(kafkaServerAccess(settings), error), { cause: error });
  });
  tell(done);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function tell({ made, settled, raised, small }: PreparedTopics): void {
  const line = (what: string, topics: readonly string[]): void => {
    if (topics.length > 0) say(`${what}: ${topics.join(', ')}`);
  };
  line('Made', made);
  line('Settings brought into line', settled);
  line('Partitions raised', raised);
  line('Fewer partitions than KAFKA_PARTITIONS, left as they are (docs/kafka.md)', small);
  if (made.length + settled.length + raised.length + small.length === 0) say('All topics are as configured.');
}
