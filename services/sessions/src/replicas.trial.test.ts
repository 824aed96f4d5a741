import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FollowPresence, ReadGroups } from '@messaging-gateway/contracts';
import { describeWith } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { newNetworkId, until } from './testing/engine-harness.ts';
import type { ReplicaProcess } from './testing/replica-process.ts';
import { replicasTest, type ReplicasTest } from './testing/replicas-test.ts';
import type { Made } from './testing/sessions-test.ts';

/** Patience with tests that wait for times to live in earnest, on machines that may be slow. */
const patienceMs = 600_000;

describeWith('rabbitmq', 'two replicas of sessions', () => {
  let test: ReplicasTest;
  let first: ReplicaProcess;
  let second: ReplicaProcess;
  let third: ReplicaProcess;
  let profile: Made;
  let unscanned: Made;
  const phone = '4915120000300';
  const contact = '4915100000300';

  beforeAll(async () => {
    test = await replicasTest();
    first = await test.start();
    profile = await test.linked(phone);
    unscanned = await test.create();
    await test.connect(unscanned);
    await test.qrOf(unscanned);
  }, patienceMs);
  afterAll(() => test.stop(), patienceMs);

  const shown = async (): Promise<string[]> => (await test.simulator.messages(contact)).map(({ text }) => text);
  const received = () => test.received();
  const holder = () => test.holderOf(profile.id);
  const connections = () => test.sockets(phone);

  /** The contact is there, or no more, which is told once. */
  const presenceIsTold = async (state: 'available' | 'unavailable'): Promise<void> => {
    const before = await test.presencesTold();
    await until(async () => {
      await test.simulator.showPresence(contact, { state });
      return (await test.presencesTold()) > before;
    });
  };

  it('have a socket in one of them, which alone answers', async () => {
    await test.deliver(profile.id, contact, 'first');
    const before = await holder();
    second = await test.start();
    expect(await test.deliver(profile.id, contact, 'second')).toMatchObject({ outcome: 'acknowledged' });
    expect(await holder()).toEqual(before);
    // One for each profile; the one that is not linked yet begins anew now and then.
    await until(async () => (await connections()) === 1 && (await test.simulator.statistics()).connections === 2);
    await test.simulator.sendFromContact(contact, { to: phone, text: 'in 1' });
    await until(async () => (await received()) === 1);
    const { organizationId } = test.caller;
    const chat = { organizationId, profileId: profile.id, conversationId: v7(), chat: `${contact}@c.us` };
    await test.ask(FollowPresence, { ...chat, minutes: 60 });
    await presenceIsTold('unavailable');
  });

  it(
    'lose nothing to a kill -9: the other takes over, and no Signal session is broken',
    async () => {
      const before = await holder();
      const inFlight = newNetworkId();
      const lost = test.deliver(profile.id, contact, 'in flight', inFlight).catch(() => undefined);
      await test.simulator.sendFromContact(contact, { to: phone, text: 'in 2' });
      await first.kill();
      await test.simulator.sendFromContact(contact, { to: phone, text: 'in 3' });
      await until(async () => (await holder()).replicaId !== before.replicaId);
      await until(async () => (await connections()) === 1);
      await lost;
      expect(await test.deliver(profile.id, contact, 'in flight', inFlight)).toMatchObject({ outcome: 'acknowledged' });
      expect(await test.deliver(profile.id, contact, 'after')).toMatchObject({ outcome: 'acknowledged' });
      await test.simulator.sendFromContact(contact, { to: phone, text: 'in 4' });
      await until(async () => (await received()) === 4);
      expect(await shown()).toEqual(['first', 'second', 'in flight', 'after']);
      expect((await test.simulator.statistics()).retriesAsked).toBe(0);
      expect((await holder()).epoch).toBeGreaterThan(before.epoch);
      await presenceIsTold('available');
      await test.scanned(unscanned, '4915120000301');
    },
    patienceMs,
  );

  it(
    'hand over in order at SIGTERM: no send fails, nothing is lost or doubled, and groups can be asked for',
    async () => {
      const before = await holder();
      third = await test.start();
      const [shownBefore, receivedBefore] = [await shown(), await received()];
      const sent: string[] = [];
      const outcomes = new Set<string>();
      let isLoaded = true;
      const { id: group } = await test.simulator.createGroup({
        owner: contact,
        subject: 'Ours',
        participants: [phone],
      });
      const groupsSeen = new Set<string>();
      const asking = (async () => {
        const { organizationId } = test.caller;
        while (isLoaded)
          await test
            .ask(ReadGroups, { organizationId, profileId: profile.id }, { route: profile.id })
            .then(({ groups }) => groups.forEach(({ id }) => groupsSeen.add(id)))
            .catch((error: Error) => groupsSeen.add(error.message));
      })();
      const outgoing = (async () => {
        for (let n = 0; isLoaded; n += 1) {
          sent.push(`out ${n}`);
          const { outcome } = await test
            .deliver(profile.id, contact, `out ${n}`)
            .catch((error: Error) => ({ outcome: error.message }));
          outcomes.add(outcome);
        }
      })();
      const incoming = (async () => {
        let count = 0;
        for (; isLoaded; count += 1) {
          await test.simulator.sendFromContact(contact, { to: phone, text: `during ${count}` });
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
        return count;
      })();
      try {
        await until(() => sent.length > 20);
        second.signal('SIGTERM');
        await until(async () => (await holder()).replicaId !== before.replicaId);
        await second.ended;
        const soFar = sent.length;
        await until(() => sent.length > soFar + 20);
      } finally {
        isLoaded = false;
      }
      const [, count] = await Promise.all([outgoing, incoming, asking]);
      expect([...groupsSeen]).toEqual([group]);
      expect([...outcomes]).toEqual(['acknowledged']);
      expect((await shown()).slice(shownBefore.length)).toEqual(sent);
      await until(async () => (await received()) === receivedBefore + count);
      expect(await test.statusOf(profile.id)).toMatchObject({ status: 'connected' });
      expect([await connections(), (await test.simulator.statistics()).retriesAsked]).toEqual([1, 0]);
      await presenceIsTold('unavailable');
    },
    patienceMs,
  );

  it(
    'leave their profiles free for the next when the last one stops in order',
    async () => {
      const before = await holder();
      third.signal('SIGTERM');
      await third.ended;
      expect((await holder()).replicaId).toBeNull();
      // The network hears of it a moment later.
      await until(async () => (await connections()) === 0);
      await test.start();
      await until(async () => (await connections()) === 1);
      expect((await holder()).epoch).toBeGreaterThan(before.epoch);
      expect(await test.deliver(profile.id, contact, 'at the end')).toMatchObject({ outcome: 'acknowledged' });
    },
    patienceMs,
  );
});
