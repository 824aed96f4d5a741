import type { TopicSpec } from './client.ts';
import type { TopicOptions } from './options.ts';

const hourMs = 3_600_000;
const segments = 14;

/**
 * Settings of a kind's topic. Kafka deletes whole segments, a segment after its last record: so that nothing stays
 * longer than `retentionDays`, the retention is shorter by the time that one segment takes in.
 */
export function topicSpec(topic: string, { partitions, replication, retentionDays }: TopicOptions): TopicSpec {
  const days = retentionDays * 24 * hourMs;
  const segment = Math.round(days / segments);
  return {
    topic,
    partitions,
    replication,
    config: {
      'cleanup.policy': 'delete',
      'retention.ms': String(days - segment),
      'segment.ms': String(segment),
      // The broker's time, so that a producer's clock cannot lengthen the retention.
      'message.timestamp.type': 'LogAppendTime',
      // A record counts as stored when two brokers have it, where there are three.
      ...(replication >= 3 && { 'min.insync.replicas': '2' }),
    },
  };
}
