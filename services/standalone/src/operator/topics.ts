import { prepareTopics, type PreparedTopics } from '@messaging-gateway/messaging/brokers';
import { createLogger, readSettings, required, silentLogger } from '@messaging-gateway/runtime';
import {
  brokerSettings,
  explainAtFirst,
  kafkaAccess,
  kafkaServerAccess,
  processSettings,
} from '@messaging-gateway/service';
import { Usage, type Verb } from './verb.ts';

const { amqpUrl: _, kafkaBrokers, ...others } = brokerSettings;
const table = { ...others, kafkaBrokers: required(kafkaBrokers), logLevel: processSettings.logLevel };

export const topics: Verb = {
  summary: 'Makes the topics of Kafka and brings their settings into line',
  usage: ['topics [--raise-partitions]'],
  options: { 'raise-partitions': { type: 'boolean' } },
  run: async ({ args, flags }) => {
    if (args.length > 0) throw new Usage('topics takes no names.');
    const settings = readSettings(table, process.env);
    const done = await prepareTopics({
      brokers: settings.kafkaBrokers,
      ...kafkaAccess(settings),
      clientId: 'messaging-gateway topics',
      topicPrefix: settings.kafkaTopicPrefix,
      partitions: settings.kafkaPartitions,
      replication: settings.kafkaReplication,
      retentionDays: settings.kafkaRetentionDays,
      raisePartitions: flags['raise-partitions'] === true,
      log: flags['json'] === true ? silentLogger : createLogger({ level: settings.logLevel, json: false }),
    }).catch((error: unknown) => {
      throw new Error(explainAtFirst(kafkaServerAccess(settings), error), { cause: error });
    });
    return { data: done, lines: linesOf(done) };
  },
};

function linesOf({ made, settled, raised, small }: PreparedTopics): string[] {
  const line = (what: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`${what}: ${names.join(', ')}`];
  const lines = [
    ...line('Made', made),
    ...line('Settings brought into line', settled),
    ...line('Partitions raised', raised),
    ...line('Fewer partitions than KAFKA_PARTITIONS, left as they are (docs/kafka.md)', small),
  ];
  return lines.length > 0 ? lines : ['All topics are as configured.'];
}
