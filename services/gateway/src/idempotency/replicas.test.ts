import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { describeWith, testDatabase, testRedis, type TestDatabase, type TestRedis } from '@messaging-gateway/testing';
import { inTime } from '../testing/in-time.ts';
import { startReplicas, type Replicas } from '../testing/replicas.ts';
import { call, type Called, type TestGateway } from '../testing/test-gateway.ts';
import { made, outcome, Things } from '../testing/things.ts';

let database: TestDatabase;
let server: TestRedis;
let replicas: Replicas;
let things: Things;

async function start(environment: Record<string, string> = {}): Promise<void> {
  replicas = await startReplicas({ databaseUrl: database.url, redisUrl: server.url, environment });
  await replicas.redisIs('connected');
  things = new Things(database.url);
  await things.use(replicas.one);
}
const post = (key: string, gateway: TestGateway): Promise<Called> => things.post(key, {}, gateway);

describeWith('redis', 'two gateways', () => {
  beforeAll(async () => {
    database = await testDatabase();
    server = await testRedis();
  });
  afterEach(() => replicas.stop());
  afterAll(async () => {
    await server.drop();
    await database.drop();
  });

  it('carry out a key once, however many use it at the same time, and both give the same answer', async () => {
    await start();
    for (let round = 0; round < 5; round++) {
      const key = randomUUID();
      const before = things.asked.length;
      const all = await Promise.all(
        Array.from({ length: 24 }, (_, index) => post(key, index % 2 ? replicas.one : replicas.two)),
      );
      const statuses = new Set(all.map(({ status }) => status));
      expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
      const ids = new Set(all.filter(({ status }) => status === 201).map(({ body }) => body['id']));
      const later = [await post(key, replicas.one), await post(key, replicas.two)];
      for (const one of later) expect(outcome(one)).toEqual([201, ...ids, 'true']);
      expect(later[0]?.text).toBe(later[1]?.text);
      expect(things.asked.length - before).toBe(1);
    }
  });

  it('tell of the other’s request that it is still running', async () => {
    await start();
    const key = randomUUID();
    const { arrived, letGo } = things.hold();
    const first = post(key, replicas.one);
    await arrived;
    expect(outcome(await post(key, replicas.two))).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS', null]);
    expect((await things.post(key, { body: { name: 'two' } }, replicas.two)).body.error.code).toBe(
      'IDEMPOTENCY_MISMATCH',
    );
    letGo();
    const { body } = await first;
    expect(outcome(await post(key, replicas.two))).toEqual([201, body['id'], 'true']);
    expect(things.asked).toHaveLength(1);
  });

  it('let a read on either see what was written on the other, and on both', async () => {
    await start();
    things.answer = async (request) => ({
      ...(await made(request)),
      raised: [{ id: request.resourceId, type: 'thing.created' }],
    });
    await replicas.one.own('ListThings', async ({ query, after = [] }) => ({
      status: 200,
      body: { query, after: after.map(({ id }) => id) },
    }));
    const { organizationId } = things;
    const permissions = ['message:send', 'profile:read'];
    ({ token: things.token } = replicas.one.identity.signIn(replicas.one.clock, { organizationId, permissions }));
    const seen = async (gateway: TestGateway): Promise<Set<unknown>> => {
      const { body } = await call(gateway, 'GET', '/things', { token: things.token });
      return new Set((body as Record<string, unknown>)['after'] as unknown[]);
    };
    // Marks live for two seconds.
    const { written, found } = await inTime(2000, async () => {
      const ids: unknown[] = [];
      for (const gateway of [replicas.one, replicas.two]) ids.push((await post(randomUUID(), gateway)).body['id']);
      return { written: ids, found: [await seen(replicas.one), await seen(replicas.two)] };
    });
    for (const one of found) expect([...one]).toEqual(expect.arrayContaining(written));
    replicas.one.clock.advance(2001);
    expect([await seen(replicas.one), await seen(replicas.two)]).toEqual([new Set(), new Set()]);
  });

  it('are both in demo mode', async () => {
    await start({ DEMO_MODE: 'true' });
    for (const gateway of [replicas.one, replicas.two]) expect((await post(randomUUID(), gateway)).status).toBe(403);
    expect(things.asked).toEqual([]);
  });
});
