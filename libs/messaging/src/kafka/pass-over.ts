import { events } from '@messaging-gateway/contracts';
import type { KafkaClient, PartitionOffset } from './client.ts';
import { kafkaJsClient } from './kafkajs/client.ts';
import type { KafkaConnectionOptions, TopicOptions } from './options.ts';
import { topicNames, type TopicNames } from './topic-names.ts';

/** Time for a request, milliseconds: as nobody waits, as much as a busy cluster needs. */
const requestTimeoutMs = 60_000;

export type PassOverOptions = KafkaConnectionOptions & Pick<TopicOptions, 'topicPrefix'>;

/** Lets consumer groups go on behind everything that is told already. */
export interface PassingOver {
  /** While no member of these groups runs. Repeating it is no harm. @throws what the brokers answer */
  passOver(groups: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * For a restore: what Kafka holds was told by a database that is no more, and the relays tell once more what the
 * restored one knows of it (docs/decisions/0255).
 *
 * @throws what the brokers answer, when they cannot be asked
 */
export async function openPassingOver(options: PassOverOptions): Promise<PassingOver> {
  const client = kafkaJsClient({ requestTimeoutMs, ...options });
  const names = topicNames(options.topicPrefix);
  try {
    await client.topics();
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    passOver: async (groups) => {
      const topics = await topicsOf(client, names);
      if (topics.length === 0) return;
      const ends = await client.ends(topics);
      await Promise.all(groups.map((group) => moveTo(client, names.groupOf(group), topics, ends)));
    },
    close: () => client.close(),
  };
}

/** Topics of the gateway, also those that a group has taken nothing of yet: it would begin with their first record. */
async function topicsOf(client: KafkaClient, names: TopicNames): Promise<string[]> {
  const there = await client.topics();
  return [...new Set(events.map(({ type }) => names.topicOf(type)))].filter((topic) => there.has(topic));
}

/** Moves groups to offsets, as a member of each, since only members may commit. */
async function moveTo(
  client: KafkaClient,
  group: string,
  topics: readonly string[],
  places: readonly PartitionOffset[],
): Promise<void> {
  const joined = Promise.withResolvers<void>();
  const member = await client.join(group, topics, {
    assigned: () => joined.resolve(),
    read: async () => undefined,
  });
  try {
    await Promise.race([joined.promise, member.ended.then((reason) => Promise.reject(reason as Error))]);
    await member.commit(places);
  } finally {
    await member.close();
  }
}
