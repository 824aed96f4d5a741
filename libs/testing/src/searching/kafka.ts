import { randomUUID } from 'node:crypto';
import kafkajs, { type Admin, type Kafka, type KafkaMessage } from 'kafkajs';
import { patientKafka } from '../patient-kafka.ts';

/** Texts that were found in a topic. */
export interface TopicSearch {
  readonly topic: string;
  readonly records: number;
  /** Found in values. */
  readonly inValues: readonly string[];
  /** Found where nothing is ever deleted for what it says: keys, headers, the topic's name. */
  readonly elsewhere: readonly string[];
  /** `delete` or `compact`, or both. */
  readonly cleanupPolicy: string;
  /** Milliseconds; -1: for ever. */
  readonly retentionMs: number;
  readonly segmentMs: number;
}

/** Reads every record of all topics whose names begin so, and looks for texts. */
export async function searchKafka(
  brokers: readonly string[],
  prefix: string,
  texts: readonly string[],
): Promise<TopicSearch[]> {
  const kafka = patientKafka(brokers);
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    const records = await readAll(kafka, admin, topics);
    return await Promise.all(
      topics.map(async (topic) => {
        const found = records.get(topic) ?? [];
        const within = (text: string): string[] => texts.filter((one) => text.includes(one));
        const outside = found.map(({ key, headers }) => `${String(key)} ${JSON.stringify(readable(headers))}`);
        return {
          topic,
          records: found.length,
          inValues: within(found.map(({ value }) => String(value)).join('\n')),
          elsewhere: within([topic, ...outside].join('\n')),
          ...(await bounds(admin, topic)),
        };
      }),
    );
  } finally {
    await admin.disconnect();
  }
}

const readable = (headers: KafkaMessage['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

async function bounds(
  admin: Admin,
  name: string,
): Promise<Pick<TopicSearch, 'cleanupPolicy' | 'retentionMs' | 'segmentMs'>> {
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name }];
  const { resources: told } = await admin.describeConfigs({ includeSynonyms: false, resources });
  const of = (wanted: string): string =>
    told[0]?.configEntries.find(({ configName }) => configName === wanted)?.configValue ?? '';
  return {
    cleanupPolicy: of('cleanup.policy'),
    retentionMs: Number(of('retention.ms')),
    segmentMs: Number(of('segment.ms')),
  };
}

/** By topic, from the first record that is kept to the last one of now; each once, however often it is read. */
async function readAll(kafka: Kafka, admin: Admin, topics: readonly string[]): Promise<Map<string, KafkaMessage[]>> {
  const left = new Set<string>();
  const ends = new Map<string, bigint>();
  for (const topic of topics)
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      if (BigInt(high) === BigInt(low)) continue;
      left.add(`${topic} ${partition}`);
      ends.set(`${topic} ${partition}`, BigInt(high));
    }
  const found = new Map<string, Map<string, KafkaMessage>>();
  if (left.size === 0) return new Map();
  const groupId = `search-${randomUUID()}`;
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      consumer.on('consumer.crash', ({ payload }) => {
        if (!payload.restart) reject(payload.error);
      });
      void consumer
        .run({
          eachBatch: async ({ batch }) => {
            const place = `${batch.topic} ${batch.partition}`;
            const read = found.get(batch.topic) ?? new Map<string, KafkaMessage>();
            for (const message of batch.messages) read.set(`${batch.partition} ${message.offset}`, message);
            found.set(batch.topic, read);
            if (BigInt(batch.lastOffset()) + 1n >= (ends.get(place) ?? 0n)) left.delete(place);
            if (left.size === 0) resolve();
          },
        })
        .catch(reject);
    });
  } finally {
    await consumer.disconnect();
    await admin.deleteGroups([groupId]).catch(() => undefined);
  }
  return new Map([...found].map(([topic, read]) => [topic, [...read.values()]]));
}
