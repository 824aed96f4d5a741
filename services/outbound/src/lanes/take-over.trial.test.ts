import { expect, it } from '@jest/globals';
import { describeWith } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { eventually } from '../testing/eventually.ts';
import { processesTest, type ProcessesProfile, type ProcessesTest } from '../testing/processes-test.ts';
import { watching, type Watching } from '../testing/watching.ts';

/** A new replica may judge others only after 9 s, and the dead are dead after 9 s; the machine may be slow. */
const patience = 150_000;

const texts = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `number ${from + index}`);

/** Runs a test with processes of its own that it can look into: both tests wait for times to live, and do so at the same time. */
const withProcesses = (durableSend: boolean, run: (given: ProcessesTest & Watching) => Promise<void>) => async () => {
  const test = await processesTest(durableSend);
  try {
    await run({ ...test, ...watching(() => test) });
  } finally {
    await test.stop();
  }
};

describeWith('rabbitmq', 'an owner of durable sends', () => {
  it.concurrent(
    'that stands still is replaced and hands over nothing when it goes on; killed, it loses nothing',
    withProcesses(true, async ({ handedTo, shownTo, isDone, ...test }) => {
      const epochsOf = (profile: ProcessesProfile) => handedTo(profile).map(({ laneEpoch }) => laneEpoch);
      const [one, other] = await test.start(2);
      if (one === undefined || other === undefined) throw new Error('Not started.');
      const [still, killed] = [await test.profile(one, 40), await test.profile(other, 40)];
      for (const text of texts(0, 60)) expect((await still.sendAt(one, text)).status).toBe(202);
      await eventually(() => handedTo(still).length >= 5);
      one.signal('SIGSTOP');
      const held = still.sendAt(other, 'number 60');
      expect((await held).status).toBe(202);
      await eventually(() => (epochsOf(still).at(-1) ?? 1) > 1, patience);
      one.signal('SIGCONT');
      await isDone(still, patience);
      expect(shownTo(still)).toEqual(texts(0, 61));
      expect((await still.sendAt(one, 'and again')).status).toBe(202);
      await isDone(still, patience);
      // Once there is a next owner, nothing comes from the one before.
      expect(epochsOf(still)).toEqual(epochsOf(still).toSorted((left, right) => left - right));

      for (const text of texts(0, 60))
        expect((await killed.sendAt(text.endsWith('0') ? one : other, text)).status).toBe(202);
      await eventually(() => handedTo(killed).length >= 5);
      await other.kill();
      expect((await killed.sendAt(one, 'number 60')).status).toBe(202);
      await isDone(killed, patience);
      expect(shownTo(killed)).toEqual(texts(0, 61));
      // The one that was on its way to each owner may be handed over twice, under the same id; no other.
      const owners = new Set(epochsOf(killed)).size;
      expect(handedTo(killed).length).toBeLessThanOrEqual(61 + owners - 1);
    }),
    3 * patience,
  );
});

describeWith('rabbitmq', 'an owner of synchronous sends that is killed', () => {
  it.concurrent(
    'leaves what it had handed over to be settled, and what waited behind it to fail; repeats meet the same messages',
    withProcesses(false, async ({ handedTo, shownTo, queueOf, ...test }) => {
      const [one, other] = await test.start(2);
      if (one === undefined || other === undefined) throw new Error('Not started.');
      const profile = await test.profile(one);
      await profile.sendAt(one, 'first');
      test.network.usual = 'silent';
      const [handedOver, waiting, lost] = [v7(), v7(), v7()];
      const handed = profile.sendAt(other, 'handed over', { resourceId: handedOver });
      await eventually(() => handedTo(profile).length === 2);
      const sends = [
        handed,
        profile.sendAt(one, 'lost', { resourceId: lost }),
        profile.sendAt(other, 'waiting', { resourceId: waiting }),
      ];
      const outcomes = Promise.allSettled(sends);
      await eventually(async () => (await queueOf(profile)).length === 3);
      test.network.usual = 'acknowledge';
      await one.kill();
      expect(await outcomes).toMatchObject([
        { status: 'fulfilled', value: { status: 200, body: { messageId: handedOver } } },
        { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } },
        { status: 'rejected', reason: { code: 'ENGINE_TIMEOUT', details: { messageId: waiting } } },
      ]);
      const repeat = { resourceId: handedOver, repeated: true };
      expect(await profile.sendAt(other, 'handed over', repeat)).toMatchObject({ body: { messageId: handedOver } });
      for (const [text, resourceId] of [
        ['waiting', waiting],
        ['lost', lost],
      ] as const)
        await expect(profile.sendAt(other, text, { resourceId, repeated: true })).rejects.toMatchObject({
          code: 'ENGINE_TIMEOUT',
          details: { messageId: resourceId },
        });
      expect((await profile.sendAt(other, 'next')).status).toBe(200);
      expect(shownTo(profile)).toEqual(['first', 'handed over', 'next']);
    }),
    2 * patience,
  );
});
