import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith } from '@messaging-gateway/testing';
import { until } from './testing/engine-harness.ts';
import type { ReplicaProcess } from './testing/replica-process.ts';
import { replicasTest, type ReplicasTest } from './testing/replicas-test.ts';

/** On machines that may be slow. */
const patienceMs = 600_000;

describeWith('rabbitmq', 'profiles that are wanted', () => {
  let test: ReplicasTest;
  let first: ReplicaProcess;
  const settings = { profilesPerProcess: 3 };
  beforeAll(async () => {
    test = await replicasTest();
    first = await test.start({ settings });
  }, patienceMs);
  afterAll(() => test.stop(), patienceMs);

  const isSo = (byReplica: readonly number[], free: number) =>
    until(async () => JSON.stringify(await test.held()) === JSON.stringify({ byReplica, free }), patienceMs);

  it(
    'are held up to what a process may hold, and the rest by the next replica',
    async () => {
      for (let n = 0; n < 5; n += 1) await test.connect(await test.create());
      await isSo([3], 0);
      await test.start({ settings });
      await isSo([3, 2], 0);
    },
    patienceMs,
  );

  it(
    'are handed over as far as others may hold more, and the rest is free',
    async () => {
      first.signal('SIGTERM');
      await first.ended;
      expect(await test.held()).toEqual({ byReplica: [3], free: 2 });
      await test.start({ settings });
      await isSo([3, 2], 0);
    },
    patienceMs,
  );
});
