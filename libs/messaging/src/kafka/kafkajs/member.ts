import type { Consumer, EachBatchPayload, Kafka, RetryOptions } from 'kafkajs';
import type { Assignment, GroupMember, MemberListener, PartitionOffset, RecordBatch } from '../client.ts';
import { sealHeader } from '../../sealing.ts';
import { bySubscription } from './assigner.ts';
import { asked } from './errors.ts';
import { watchdog } from './watchdog.ts';

export interface MemberOptions {
  readonly group: string;
  readonly topics: readonly string[];
  readonly listener: MemberListener;
  readonly retry: RetryOptions;
  /** @see KafkaConnectionOptions */
  readonly sessionTimeoutMs: number | undefined;
  readonly fetchWaitMs: number | undefined;
}

type Offsets = Parameters<EachBatchPayload['commitOffsetsIfNecessary']>[0];
type Commit = (offsets: Offsets) => Promise<void>;

/** No heartbeat for so long: the library has stopped without saying so. Milliseconds. */
const silentMs = 60_000;

/**
 * Joins a consumer group. Batches are only handed over, never handled here, so the loop that also sends heartbeats
 * never waits for a handler for long. The library never restarts a consumer by itself: whatever ends it ends the member.
 */
export async function joinGroup(kafka: Kafka, options: MemberOptions): Promise<GroupMember> {
  const { group, topics, listener, sessionTimeoutMs: sessionTimeout = 10_000, fetchWaitMs = 500 } = options;
  const consumer = kafka.consumer({
    groupId: group,
    partitionAssigners: [bySubscription],
    allowAutoTopicCreation: false,
    sessionTimeout,
    rebalanceTimeout: 3 * sessionTimeout,
    heartbeatInterval: (sessionTimeout * 3) / 20,
    maxWaitTimeInMs: fetchWaitMs,
    maxBytesPerPartition: 256 * 1024,
    maxBytes: 4 * 1024 * 1024,
    metadataMaxAge: 60_000,
    retry: { ...options.retry, restartOnFailure: async () => false },
  });
  const guard = watchdog(consumer, silentMs);
  const commits = follow(consumer, listener);
  try {
    await asked(consumer.connect());
    await asked(consumer.subscribe({ topics: [...topics], fromBeginning: true }));
    await asked(
      consumer.run({
        autoCommit: false,
        eachBatch: async (payload) => {
          commits.through((offsets) => payload.commitOffsetsIfNecessary(offsets));
          await listener.read(batchOf(payload));
        },
      }),
    );
  } catch (error) {
    guard.stop();
    void consumer.disconnect().catch(() => undefined);
    throw error;
  }
  return {
    ended: guard.ended,
    silentMs: () => guard.silentMs(),
    commit: (offsets) => commits.commit(offsets),
    pause: (topic, partition) => steer(() => consumer.pause([{ topic, partitions: [partition] }])),
    resume: (topic, partition) => steer(() => consumer.resume([{ topic, partitions: [partition] }])),
    close: async () => {
      guard.stop();
      await consumer.disconnect().catch(() => undefined);
    },
  };
}

/** A consumer that has just ended throws; its successor begins without pauses. */
function steer(action: () => void): void {
  try {
    action();
  } catch {
    // Ended.
  }
}

/** Tells of assignments; commits in the generation that the member is in at the moment of the call, and once. */
function follow(consumer: Consumer, listener: MemberListener) {
  let memberId: string | undefined;
  let way: Commit | undefined;
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const same = memberId === payload.memberId;
    memberId = payload.memberId;
    listener.assigned(assignmentOf(payload.memberAssignment), same);
  });
  return {
    /**
     * The library's own `commitOffsets` tries again by itself, after a rebalance too: it would then overwrite what the
     * partition's new owner has committed. This way tries once, and the broker refuses another generation.
     */
    through: (commit: Commit): void => {
      way ??= commit;
    },
    commit: async (offsets: readonly PartitionOffset[]): Promise<void> => {
      if (way !== undefined) return asked(way(byTopic(offsets)));
      const flat = offsets.map(({ topic, partition, offset }) => ({ topic, partition, offset: String(offset) }));
      await asked(consumer.commitOffsets(flat));
    },
  };
}

const assignmentOf = (told: Readonly<Record<string, number[]>>): Assignment => new Map(Object.entries(told));

function byTopic(offsets: readonly PartitionOffset[]): Offsets {
  const topics = Map.groupBy(offsets, ({ topic }) => topic);
  return {
    topics: [...topics].map(([topic, places]) => ({
      topic,
      partitions: places.map(({ partition, offset }) => ({ partition, offset: String(offset) })),
    })),
  };
}

function batchOf({ batch }: EachBatchPayload): RecordBatch {
  return {
    topic: batch.topic,
    partition: batch.partition,
    records: batch.messages.map(({ offset, key, value, headers }) => ({
      offset: BigInt(offset),
      key: key?.toString(),
      value: value?.toString(),
      seal: headers?.[sealHeader]?.toString(),
    })),
    next: BigInt(batch.lastOffset()) + 1n,
    end: BigInt(batch.highWatermark),
  };
}
