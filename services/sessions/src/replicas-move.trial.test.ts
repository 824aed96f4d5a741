import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith, severable } from '@messaging-gateway/testing';
import { until } from './testing/engine-harness.ts';
import { replicasTest, type ReplicasTest } from './testing/replicas-test.ts';
import type { ReplicaProcess } from './testing/replica-process.ts';
import type { Made } from './testing/sessions-test.ts';

/** On machines that may be slow. */
const patienceMs = 600_000;

describeWith('rabbitmq', 'profiles that one replica holds', () => {
  let test: ReplicasTest;
  const settings = { rebalanceSeconds: 0.2 };
  const phones = ['4915120000400', '4915120000401', '4915120000402', '4915120000403'];
  const contact = '4915100000400';
  const profiles: Made[] = [];
  let first: ReplicaProcess;
  beforeAll(async () => {
    test = await replicasTest();
    first = await test.start({ settings });
    for (const phone of phones) profiles.push(await test.linked(phone));
  }, patienceMs);
  afterAll(() => test.stop(), patienceMs);

  it(
    'move to one that comes, the quiet ones first, and back when it goes, while messages come and go: nothing fails, is lost, twice or out of order',
    async () => {
      const [busy] = profiles;
      if (busy === undefined) throw new Error('No profile.');
      const outcomes = new Set<string>();
      let isLoaded = true;
      const sending = profiles.map(async ({ id }, index) => {
        const sent: string[] = [];
        for (; isLoaded; await sleep(index === 0 ? 0 : 2_000)) {
          const text = `out ${sent.length}`;
          sent.push(text);
          const { outcome } = await test
            .deliver(id, `491510000041${index}`, text)
            .catch((error: Error) => ({ outcome: error.message }));
          outcomes.add(outcome);
        }
        return sent;
      });
      const receiving = (async () => {
        let count = 0;
        for (; isLoaded; await sleep(100)) {
          const to = phones[count % phones.length] ?? '';
          await test.simulator.sendFromContact(contact, { to, text: `in ${count}` });
          count += 1;
        }
        return count;
      })();
      const before = await test.holderOf(busy.id);
      let received: number;
      try {
        const second = await test.start({ settings });
        await until(async () => JSON.stringify(await test.held()) === '{"byReplica":[2,2],"free":0}', patienceMs);
        expect(await test.holderOf(busy.id)).toEqual(before);
        second.signal('SIGTERM');
        await second.ended;
        await until(async () => JSON.stringify(await test.held()) === '{"byReplica":[4],"free":0}', patienceMs);
      } finally {
        isLoaded = false;
        received = await receiving;
      }
      const sent = await Promise.all(sending);
      expect([...outcomes]).toEqual(['acknowledged']);
      for (const [index, texts] of sent.entries()) {
        const shown = await test.simulator.messages(`491510000041${index}`);
        expect(shown.map(({ text }) => text)).toEqual(texts);
      }
      await until(async () => (await test.received()) === received);
      for (const { id } of profiles) expect(await test.statusOf(id)).toMatchObject({ status: 'connected' });
    },
    patienceMs,
  );

  it(
    'are waited for when the next holder cannot log in for longer than ten seconds: no send fails, nobody hears of it',
    async () => {
      const [moving] = profiles;
      if (moving === undefined) throw new Error('No profile.');
      const { simulator } = test;
      const way = await severable(Number(new URL(simulator.url).port));
      const url = simulator.url.replace(/:\d+\//, `:${way.port}/`);
      await test.start({ settings: { rebalanceSeconds: 0 }, network: { url, rootKey: simulator.rootKey } });
      const before = await test.holderOf(moving.id);
      const { since } = await test.statusOf(moving.id);
      way.cut();
      first.signal('SIGTERM');
      await until(async () => (await test.holderOf(moving.id)).replicaId !== before.replicaId, patienceMs);
      const sent = Array.from({ length: 3 }, (_, number) =>
        test.deliver(moving.id, '4915100000420', `held ${number}`, undefined, { holdMs: 20_000, timeAfterHold: true }),
      );
      await sleep(11_000);
      expect(await test.statusOf(moving.id)).toMatchObject({ status: 'connected', since });
      way.heal();
      const outcomes = await Promise.allSettled(sent);
      expect(outcomes).toMatchObject(sent.map(() => ({ value: { outcome: 'acknowledged' } })));
      expect(await simulator.messages('4915100000420')).toHaveLength(3);
      await first.ended;
      await way.close();
    },
    patienceMs,
  );
});
