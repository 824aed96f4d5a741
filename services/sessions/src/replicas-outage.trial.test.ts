import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, severable, type Severable } from '@messaging-gateway/testing';
import { newNetworkId, until } from './testing/engine-harness.ts';
import type { ReplicaProcess } from './testing/replica-process.ts';
import { replicasTest, type ReplicasTest } from './testing/replicas-test.ts';
import type { Made } from './testing/sessions-test.ts';

/** Patience with tests that wait for times to live in earnest, on machines that may be slow. */
const patienceMs = 600_000;
/** Time to live of a replica's leases: half of what installations use. */
const ttlMs = 4_500;
/** How long the database is unreachable. */
const awayMs = 15_000;

describeWith('rabbitmq', 'a holder that cannot renew', () => {
  let test: ReplicasTest;
  let ways: Severable[];
  let first: ReplicaProcess;
  let second: ReplicaProcess;
  let firstId: string | null;
  let profile: Made;
  const phone = '4915120000310';
  const contact = '4915100000310';

  /** A replica with a way of its own to the database, which can be cut. */
  const start = async (): Promise<ReplicaProcess> => {
    const url = new URL(test.databaseUrl);
    const way = await severable(Number(url.port));
    ways.push(way);
    url.port = String(way.port);
    return test.start({ databaseUrl: url.href, settings: { replicaTtlMs: ttlMs } });
  };
  const holder = () => test.holderOf(profile.id);
  const beatingSince = (replicaId: string | null) => test.beatingSince(replicaId);
  const texts = async (): Promise<string[]> => (await test.simulator.messages(contact)).map(({ text }) => text);
  const exchange = async (text: string): Promise<void> => {
    const before = await test.received();
    const id = newNetworkId();
    // What was in the hands of a process that stands still is asked again, under the same id.
    await until(async () => {
      const delivered = await test.deliver(profile.id, contact, text, id).catch(() => undefined);
      return delivered?.outcome === 'acknowledged';
    });
    await test.simulator.sendFromContact(contact, { to: phone, text });
    await until(async () => (await test.received()) === before + 1);
    expect((await test.simulator.statistics()).retriesAsked).toBe(0);
  };

  beforeAll(async () => {
    ways = [];
    test = await replicasTest();
    first = await start();
    profile = await test.linked(phone);
    firstId = (await holder()).replicaId;
    second = await start();
    await exchange('before');
  }, patienceMs);
  afterAll(async () => {
    await test.stop();
    await Promise.all(ways.map((way) => way.close()));
  }, patienceMs);

  it(
    'stays the holder over a database that is unreachable for three times to live: it closes its socket, and nobody claims',
    async () => {
      const before = await holder();
      const cutAt = Date.now();
      for (const way of ways) way.cut();
      await until(async () => (await test.sockets(phone)) === 0);
      await new Promise((resolve) => setTimeout(resolve, cutAt + awayMs - Date.now()));
      expect(await holder()).toEqual(before);
      for (const way of ways) way.heal();
      await until(async () => (await test.sockets(phone)) === 1);
      const after = await holder();
      // On a machine that stood still both may have come back a whole time to live apart.
      const apartMs = (await beatingSince(before.replicaId)) - (await beatingSince(after.replicaId));
      expect(after.replicaId === before.replicaId || apartMs > ttlMs).toBe(true);
      expect(after.epoch).toBeGreaterThan(before.epoch);
      await exchange('after the outage');
    },
    patienceMs,
  );

  it(
    'is replaced when its process stands still, and writes nothing when it goes on',
    async () => {
      const before = await holder();
      const stopped = before.replicaId === firstId ? first : second;
      stopped.signal('SIGSTOP');
      await until(async () => (await holder()).replicaId !== before.replicaId);
      await exchange('by the next holder');
      const replaced = await holder();
      const since = await beatingSince(replaced.replicaId);
      stopped.signal('SIGCONT');
      await exchange('while the old one wakes up');
      await new Promise((resolve) => setTimeout(resolve, ttlMs / 2));
      await exchange('and after that');
      // Unless the machine stood still for so long that the next one counted as dead too.
      const isSteady = (await beatingSince(replaced.replicaId)) === since;
      expect((await holder()).replicaId === replaced.replicaId || !isSteady).toBe(true);
      await until(
        async () => (await test.sockets(phone)) === 1 && (await test.simulator.statistics()).connections === 1,
      );
      expect(await texts()).toEqual([
        'before',
        'after the outage',
        'by the next holder',
        'while the old one wakes up',
        'and after that',
      ]);
    },
    patienceMs,
  );
});
