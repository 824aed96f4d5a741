import { events } from '@messaging-gateway/contracts';
import type { KafkaClient, TopicSpec } from './client.ts';
import { kafkaJsClient } from './kafkajs/client.ts';
import type { KafkaConnectionOptions, TopicOptions } from './options.ts';
import { topicNames } from './topic-names.ts';
import { topicSpec } from './topic-spec.ts';

/** Nothing waits for this step of a deployment: it may take as long as a busy cluster needs, milliseconds. */
const requestTimeoutMs = 60_000;

export interface PrepareTopicsOptions extends KafkaConnectionOptions, TopicOptions {
  /**
   * Gives topics with too few partitions as many as configured. Events of a key then go on in another partition, and
   * overtake those that wait in the old one: only when nothing is told and everything was consumed. Default false.
   */
  readonly raisePartitions?: boolean;
}

/** Topics, by what was done with them, or left. */
export interface PreparedTopics {
  readonly made: readonly string[];
  /** Topics whose settings were brought into line, for example the retention. */
  readonly settled: readonly string[];
  readonly raised: readonly string[];
  /** Too few partitions, not raised. */
  readonly small: readonly string[];
}

/**
 * Makes the topics of all kinds and brings existing ones into line with the configuration: for a step of deployment,
 * with an account that may. Settings that a topic has beside those are kept.
 *
 * @throws what the brokers answer
 */
export async function prepareTopics(options: PrepareTopicsOptions): Promise<PreparedTopics> {
  const client = kafkaJsClient({ requestTimeoutMs, ...options });
  const names = topicNames(options.topicPrefix);
  const specs = [...new Set(events.map(({ type }) => names.topicOf(type)))].map((topic) => topicSpec(topic, options));
  try {
    const there = await client.topics();
    const missing = specs.filter(({ topic }) => !there.has(topic));
    if (missing.length > 0) await client.createTopics(missing);
    const known = specs.filter(({ topic }) => there.has(topic));
    const settled: string[] = [];
    for (const spec of known) if (await settle(client, spec)) settled.push(spec.topic);
    const small = known.filter(({ topic, partitions }) => (there.get(topic) ?? 0) < partitions);
    const raising = options.raisePartitions === true ? small : [];
    for (const { topic, partitions } of raising) await client.raisePartitions(topic, partitions);
    const namesOf = (which: readonly TopicSpec[]): string[] => which.map(({ topic }) => topic);
    return {
      made: namesOf(missing),
      settled,
      raised: namesOf(raising),
      small: options.raisePartitions === true ? [] : namesOf(small),
    };
  } finally {
    await client.close();
  }
}

/** @returns whether anything was different */
async function settle(client: KafkaClient, { topic, config }: TopicSpec): Promise<boolean> {
  const present = await client.topicConfig(topic);
  const different = Object.entries(config).filter(([name, value]) => present.get(name) !== value);
  if (different.length === 0) return false;
  await client.setTopicConfig(topic, Object.fromEntries(different));
  return true;
}
