import { findTexts, searchKafka, searchRabbitMq, searchRedis } from '@messaging-gateway/testing';
import type { Pool } from 'pg';
import type { TestServers } from '../test-servers.ts';

/** Where some texts are in the servers of an installation. */
export interface LeftBehind {
  /** As `table: text`. */
  readonly database: readonly string[];
  /** As `queue: text`, or how many messages of a queue could not be looked at. */
  readonly rabbitMq: readonly string[];
  /** As `key: text`. */
  readonly redis: readonly string[];
  /** Texts in values of records. */
  readonly kafka: readonly string[];
  /** As `topic: text`, where no retention deletes it: in keys, headers, names. */
  readonly kafkaElsewhere: readonly string[];
  /** Topics that keep records longer than so many days, or for ever. */
  readonly unbounded: readonly string[];
}

const dayMs = 86_400_000;

/** Searches all of them. @param days of Kafka's retention */
export async function leftBehind(
  servers: TestServers,
  database: Pool,
  texts: readonly string[],
  days: number,
): Promise<LeftBehind> {
  const [rows, queues, keys, topics] = await Promise.all([
    findTexts(database, texts),
    searchRabbitMq(servers.rabbitMq, texts),
    searchRedis(servers.cacheUrl, texts),
    searchKafka(servers.brokers, servers.topicPrefix ?? '', texts),
  ]);
  if (queues.length === 0 || topics.every(({ records }) => records === 0))
    throw new Error('Nothing was searched: there are no queues, or no records.');
  const isBounded = ({ cleanupPolicy, retentionMs, segmentMs }: (typeof topics)[number]): boolean =>
    cleanupPolicy === 'delete' && retentionMs > 0 && retentionMs + segmentMs <= days * dayMs;
  return {
    database: [...new Set(rows.map(({ table, text }) => `${table}: ${text}`))],
    rabbitMq: queues.flatMap(({ queue, found, hidden }) => [
      ...found.map((text) => `${queue}: ${text}`),
      ...(hidden > 0 ? [`${queue}: ${hidden} messages`] : []),
    ]),
    redis: keys.map(({ key, text }) => `${key}: ${text}`),
    kafka: [...new Set(topics.flatMap(({ inValues }) => inValues))].toSorted(),
    kafkaElsewhere: topics.flatMap(({ topic, elsewhere }) => elsewhere.map((text) => `${topic}: ${text}`)),
    unbounded: topics.filter((topic) => !isBounded(topic)).map(({ topic }) => topic),
  };
}
