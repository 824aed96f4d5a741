import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { RecordBatch } from './client.ts';
import { Partition } from './partition.ts';

const batch = (offsets: readonly number[], next = (offsets.at(-1) ?? 0) + 1): RecordBatch => ({
  topic: 't',
  partition: 0,
  records: offsets.map((offset) => ({ offset: BigInt(offset), key: 'k', value: '{}' })),
  next: BigInt(next),
  end: 1_000n,
});
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('a partition', () => {
  it('is committed up to the first record that is not handled, whatever the order in which they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.infiniteStream(fc.nat()), (count, random) => {
        const partition = new Partition();
        const open = [...partition.take(batch(upTo(count)))];
        while (open.length > 0) {
          const [done] = open.splice((random.next().value as number) % open.length, 1);
          done?.handled();
          const first = open[0]?.record.offset ?? BigInt(count);
          expect(partition.toCommit ?? 0n).toBe(first);
        }
      }),
    );
  });

  it('hands out no record twice when it is read again after a rebalance', () => {
    const partition = new Partition();
    const taken = [...partition.take(batch(upTo(5)))];
    expect([...partition.take(batch(upTo(8)))].map(({ record }) => Number(record.offset))).toEqual([5, 6, 7]);
    taken[0]?.handled();
    expect(partition.toCommit).toBe(1n);
  });

  it('passes what is no record', () => {
    const partition = new Partition();
    const [only] = partition.take(batch([3], 9));
    expect(partition.toCommit).toBeUndefined();
    only?.handled();
    expect(partition.toCommit).toBe(9n);
    expect([...partition.take(batch([8], 9))]).toEqual([]);
  });

  it('begins where it is told to, and commits nothing once another member may have it', () => {
    const partition = new Partition(3n);
    const taken = [...partition.take(batch(upTo(5)))];
    expect(taken.map(({ record }) => Number(record.offset))).toEqual([3, 4]);
    for (const { handled } of taken) handled();
    expect(partition.toCommit).toBe(5n);
    partition.revoke();
    expect(partition.toCommit).toBeUndefined();
  });

  it('begins anew in a topic that was deleted and made again', () => {
    const partition = new Partition();
    for (const { handled } of partition.take(batch(upTo(5)))) handled();
    partition.committed(5n);
    const taken = partition.take(batch(upTo(2)));
    expect(taken).toHaveLength(2);
    for (const { handled } of taken) handled();
    expect(partition.toCommit).toBe(2n);
  });

  it('is full at some hundred records in memory', () => {
    const partition = new Partition();
    const taken = [...partition.take(batch(upTo(600)))];
    expect([partition.full, partition.hasRoom]).toEqual([true, false]);
    for (const { handled } of taken.slice(0, 350)) handled();
    expect([partition.full, partition.hasRoom]).toEqual([false, true]);
    expect(partition.lag).toBe(650n);
  });
});
