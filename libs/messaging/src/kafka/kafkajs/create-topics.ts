import { setTimeout as delay } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import type { TopicSpec } from '../client.ts';
import { rootOf } from './errors.ts';

/** How long the controller may take to make topics, and then the brokers to hear of them, milliseconds. */
const patienceMs = 30_000;
const lookMs = 50;
/** Codes of a broker that has not heard of a topic yet, or of its leader. */
const notYet: ReadonlySet<unknown> = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']);

/** Topics that are there already stay as they are. Resolves when the brokers know them: the controller does so first. */
export async function createTopics(admin: Admin, topics: readonly TopicSpec[]): Promise<void> {
  await admin.createTopics({
    // The library's own waiting ends with an error at a broker that has not heard of a topic yet.
    waitForLeaders: false,
    timeout: patienceMs,
    topics: topics.map(({ topic, partitions, replication, config }) => ({
      topic,
      numPartitions: partitions,
      replicationFactor: replication,
      configEntries: Object.entries(config).map(([name, value]) => ({ name, value })),
    })),
  });
  const names = topics.map(({ topic }) => topic);
  for (const until = performance.now() + patienceMs; ; await delay(lookMs)) {
    const failure = await admin.fetchTopicMetadata({ topics: names }).then(() => undefined, rootOf);
    if (failure === undefined) return;
    if (!notYet.has((failure as { readonly type?: unknown }).type) || performance.now() > until) throw failure;
  }
}
