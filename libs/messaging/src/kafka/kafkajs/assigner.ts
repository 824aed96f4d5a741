import type { Cluster, GroupMember, PartitionAssigner } from 'kafkajs';
import { AssignerProtocol } from './library.ts';

interface Member {
  readonly id: string;
  readonly topics: ReadonlySet<string>;
  readonly assigned: Record<string, number[]>;
  count: number;
}

/**
 * Deals partitions evenly among the members that have subscribed to their topic. The library's own assigner gives every
 * topic of the leader to everybody, so that during a rolling update a partition could lie with a member that does not
 * know its kind.
 */
export const bySubscription: PartitionAssigner = ({ cluster }) => ({
  name: 'by-subscription',
  version: 1,
  protocol: ({ topics }) => ({
    name: 'by-subscription',
    metadata: AssignerProtocol.MemberMetadata.encode({ version: 1, topics, userData: Buffer.alloc(0) }),
  }),
  assign: async ({ members }) => {
    const known = members.map(memberOf).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const topics = [...new Set(known.flatMap((member) => [...member.topics]))].toSorted();
    for (const topic of topics) {
      const takers = known.filter((member) => member.topics.has(topic));
      for (const partition of await partitionsOf(cluster, topic)) give(takers, topic, partition);
    }
    return known.map(({ id, assigned }) => ({
      memberId: id,
      memberAssignment: AssignerProtocol.MemberAssignment.encode({
        version: 1,
        assignment: assigned,
        userData: Buffer.alloc(0),
      }),
    }));
  },
});

function memberOf({ memberId, memberMetadata }: GroupMember): Member {
  const metadata = AssignerProtocol.MemberMetadata.decode(memberMetadata);
  return { id: memberId, topics: new Set(metadata?.topics), assigned: {}, count: 0 };
}

function give(takers: readonly Member[], topic: string, partition: number): void {
  const taker = takers.reduce((least, member) => (member.count < least.count ? member : least));
  taker.count += 1;
  (taker.assigned[topic] ??= []).push(partition);
}

/** Topics that only other members have subscribed to are not known to this one yet; one may have been deleted. */
async function partitionsOf(cluster: Cluster, topic: string): Promise<number[]> {
  try {
    await cluster.addTargetTopic(topic);
  } catch {
    return [];
  }
  return cluster
    .findTopicPartitionMetadata(topic)
    .map(({ partitionId }) => partitionId)
    .toSorted((one, other) => one - other);
}
