import type { Admin, Kafka } from 'kafkajs';
import type { KafkaClient } from '../client.ts';
import { createTopics } from './create-topics.ts';
import { asked } from './errors.ts';
import { ConfigResourceTypes } from './library.ts';

type AdminMethods = Omit<KafkaClient, 'producer' | 'join'>;

/** Questions about topics and groups, over one connection that is opened with the first question. */
export function adminOf(kafka: Kafka): AdminMethods {
  const admin = kafka.admin();
  let connected: Promise<void> | undefined;
  const ask = async <T>(question: (admin: Admin) => Promise<T>): Promise<T> => {
    connected ??= admin.connect().catch((error: unknown) => {
      connected = undefined;
      throw error;
    });
    return asked(connected.then(() => question(admin)));
  };
  return {
    topics: () => ask(topicsOf),
    createTopics: (topics) => ask((on) => createTopics(on, topics)),
    topicConfig: (topic) => ask((on) => configOf(on, topic)),
    setTopicConfig: async (topic, config) => {
      const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
      const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries }];
      await ask((on) => on.alterConfigs({ validateOnly: false, resources }));
    },
    raisePartitions: async (topic, count) => {
      await ask((on) => on.createPartitions({ topicPartitions: [{ topic, count }] }));
    },
    ends: (topics) => ask((on) => endsOf(on, topics)),
    committed: (group, topics) => ask((on) => committedOf(on, group, topics)),
    close: async () => {
      await admin.disconnect().catch(() => undefined);
    },
  };
}

async function topicsOf(admin: Admin): Promise<ReadonlyMap<string, number>> {
  const { topics } = await admin.fetchTopicMetadata();
  return new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
}

async function configOf(admin: Admin, name: string): Promise<ReadonlyMap<string, string>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name }],
  });
  const entries = resources[0]?.configEntries ?? [];
  return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
}

async function endsOf(admin: Admin, topics: readonly string[]) {
  const found = await Promise.all(
    topics.map(async (topic) =>
      (await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => ({ topic, partition, offset: BigInt(high) })),
    ),
  );
  return found.flat();
}

async function committedOf(admin: Admin, groupId: string, topics: readonly string[]) {
  const found = await admin.fetchOffsets({ groupId, topics: [...topics] });
  return found
    .flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => ({ topic, partition, offset: BigInt(offset) })),
    )
    .filter(({ offset }) => offset >= 0n);
}
