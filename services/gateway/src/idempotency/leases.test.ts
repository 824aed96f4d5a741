import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { describeWith, testDatabase, testRedis } from '@messaging-gateway/testing';
import { startReplicas, type Replicas } from '../testing/replicas.ts';
import { call, type Called, type TestGateway } from '../testing/test-gateway.ts';
import { made, outcome, Things } from '../testing/things.ts';

/** Gateways, and somebody who uses them, for one test: both tests wait for leases to end, and do so at the same time. */
const withReplicas = (run: (given: { replicas: Replicas; things: Things }) => Promise<void>) => async () => {
  const [database, server] = await Promise.all([testDatabase(), testRedis()]);
  const replicas = await startReplicas({ databaseUrl: database.url, redisUrl: server.url });
  try {
    await replicas.redisIs('connected');
    const things = new Things(database.url);
    await things.use(replicas.one);
    await run({ replicas, things });
  } finally {
    await replicas.stop();
    await Promise.all([server.drop(), database.drop()]);
  }
};

describeWith('redis', 'two gateways', () => {
  it.concurrent(
    'keep a slow request for the one that runs it, beyond the length of a lease',
    withReplicas(async ({ replicas, things }) => {
      const key = randomUUID();
      const { arrived, letGo } = things.hold();
      // A route that waits longer than a lease lasts.
      const headers = { 'idempotency-key': key };
      const slow = (gateway: TestGateway) => call(gateway, 'POST', '/open-things', { body: { name: 'one' }, headers });
      const first = slow(replicas.one);
      await arrived;
      const until = Date.now() + 10_500;
      while (Date.now() < until) {
        expect((await slow(replicas.two)).status).toBe(409);
        await wait(1500);
      }
      letGo();
      const { body } = await first;
      expect(outcome(await slow(replicas.two))).toEqual([201, body['id'], 'true']);
    }),
    120_000,
  );

  it.concurrent(
    'take over what a kill -9 of the other cut off, once its lease is over, with the same resource',
    withReplicas(async ({ replicas, things }) => {
      const key = randomUUID();
      const reached = await things.postAndKill(key, 'replica');
      const early = await Promise.all([things.post(key, {}, replicas.one), things.post(key, {}, replicas.two)]);
      expect(early.map(({ status }) => status)).toEqual([409, 409]);
      expect(things.asked).toEqual([]);
      things.answer = made;
      let both: Called[] = [];
      const until = Date.now() + 60_000;
      do {
        await wait(500);
        both = await Promise.all([things.post(key, {}, replicas.one), things.post(key, {}, replicas.two)]);
      } while (both.every(({ status }) => status === 409) && Date.now() < until);
      expect(things.asked.map(({ resourceId, repeated }) => [resourceId, repeated])).toEqual([[reached, true]]);
      for (const gateway of [replicas.one, replicas.two])
        expect(outcome(await things.post(key, {}, gateway))).toEqual([201, reached, 'true']);
    }),
    120_000,
  );
});
