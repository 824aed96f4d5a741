import { describe, expect, it } from '@jest/globals';
import type { Cluster } from 'kafkajs';
import { bySubscription } from './assigner.ts';
import { AssignerProtocol } from './library.ts';

const partitions: Readonly<Record<string, number>> = { old: 4, added: 4 };

/** Partitions that each member gets, by its subscription. */
async function assigned(members: Readonly<Record<string, readonly string[]>>) {
  const cluster = {
    addTargetTopic: async (topic: string) => {
      if (!(topic in partitions)) throw new Error('This server does not host this topic-partition');
    },
    findTopicPartitionMetadata: (topic: string) =>
      Array.from({ length: partitions[topic] ?? 0 }, (_, partitionId) => ({ partitionId })).toReversed(),
  } as unknown as Cluster;
  const assigner = bySubscription({ cluster, groupId: 'g', logger: undefined as never });
  const told = await assigner.assign({
    members: Object.entries(members).map(([memberId, topics]) => ({
      memberId,
      memberMetadata: assigner.protocol({ topics: [...topics] }).metadata,
    })),
    topics: ['old'],
  });
  return Object.fromEntries(
    told.map(({ memberId, memberAssignment }) => [
      memberId,
      AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment,
    ]),
  );
}

describe('the partitions of a group', () => {
  it('are dealt evenly', async () => {
    expect(await assigned({ a: ['old', 'added'], b: ['old', 'added'] })).toEqual({
      a: { old: [0, 2], added: [0, 2] },
      b: { old: [1, 3], added: [1, 3] },
    });
  });

  it('of a topic that only the newer replica knows go to that one, during a rolling update', async () => {
    expect(await assigned({ newer: ['old', 'added'], older: ['old'] })).toEqual({
      newer: { added: [0, 1, 2, 3] },
      older: { old: [0, 1, 2, 3] },
    });
  });

  it('of a topic that was deleted go to nobody', async () => {
    expect(await assigned({ a: ['old', 'gone'] })).toEqual({ a: { old: [0, 1, 2, 3] } });
  });
});
