import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { describeWith, eventually, testDatabase, testRedis } from '@messaging-gateway/testing';
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

/** Asks one gateway to do something slow, and the other again and again while it runs, beyond the length of a lease. */
async function askMeanwhile({ one, two }: Replicas, things: Things) {
  const headers = { 'idempotency-key': randomUUID() };
  // A route that waits longer than a lease lasts.
  const slow = (gateway: TestGateway) => call(gateway, 'POST', '/open-things', { body: { name: 'one' }, headers });
  const { arrived, letGo } = things.hold();
  const first = slow(one);
  await arrived;
  things.answer = made;
  const meanwhile: number[] = [];
  let longestStepMs = 0;
  const begun = performance.now();
  for (let step = begun; step < begun + 10_500;) {
    meanwhile.push((await slow(two)).status);
    await wait(1500);
    const now = performance.now();
    longestStepMs = Math.max(longestStepMs, now - step);
    step = now;
  }
  letGo();
  const { body } = await first;
  return { meanwhile, longestStepMs, id: body['id'], afterwards: outcome(await slow(two)) };
}

/** A request that a kill -9 has cut off, and what both gateways say of it at once. */
async function cutOff(things: Things, ask: (key: string) => Promise<Called[]>) {
  const key = randomUUID();
  things.asked.splice(0);
  const reached = await things.postAndKill(key, 'replica');
  const begun = performance.now();
  const early = (await ask(key)).map(({ status }) => status);
  return { key, reached, early, asked: [...things.asked], tookMs: performance.now() - begun };
}

/** A machine that stands still for the length of a lease lets it end: what took longer than so is done anew. */
const pauseMs = 4000;
const mostTries = 10;

describeWith('redis', 'two gateways', () => {
  it.concurrent(
    'keep a slow request for the one that runs it, beyond the length of a lease',
    withReplicas(async ({ replicas, things }) => {
      let seen = await askMeanwhile(replicas, things);
      for (let tries = 1; seen.longestStepMs > pauseMs && tries < mostTries; tries += 1)
        seen = await askMeanwhile(replicas, things);
      expect(new Set(seen.meanwhile)).toEqual(new Set([409]));
      expect(seen.afterwards).toEqual([201, seen.id, 'true']);
    }),
    600_000,
  );

  it.concurrent(
    'take over what a kill -9 of the other cut off, once its lease is over, with the same resource',
    withReplicas(async ({ replicas, things }) => {
      const ask = (key: string): Promise<Called[]> =>
        Promise.all([things.post(key, {}, replicas.one), things.post(key, {}, replicas.two)]);
      let cut = await cutOff(things, ask);
      for (let tries = 1; cut.tookMs > pauseMs && tries < mostTries; tries += 1) cut = await cutOff(things, ask);
      const { key, reached } = cut;
      expect([cut.early, cut.asked]).toEqual([[409, 409], []]);
      await eventually(async () => ((await ask(key)).some(({ status }) => status !== 409) ? true : undefined), 300_000);
      expect(things.asked.map(({ resourceId, repeated }) => [resourceId, repeated])).toEqual([[reached, true]]);
      for (const gateway of [replicas.one, replicas.two])
        expect(outcome(await things.post(key, {}, gateway))).toEqual([201, reached, 'true']);
    }),
    600_000,
  );
});
