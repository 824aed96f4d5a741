import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWithOwn, testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { distantRedis, type DistantRedis } from '../testing/distant-redis.ts';
import { startReplicas, type Replicas } from '../testing/replicas.ts';
import { call, type TestGateway } from '../testing/test-gateway.ts';

let database: TestDatabase;
let distant: DistantRedis;
let replicas: Replicas;

/** So many requests at the same time. @returns their statuses */
const ask = async (gateway: TestGateway, count: number): Promise<readonly number[]> => {
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  const all = await Promise.all(Array.from({ length: count }, () => call(gateway, 'GET', '/health', { headers })));
  return all.map(({ status }) => status).toSorted((one, other) => one - other);
};
const start = async (): Promise<void> => {
  replicas = await startReplicas({
    databaseUrl: database.url,
    redisUrl: distant.distantUrl,
    environment: { RATE_LIMIT_GLOBAL: '4/1h' },
  });
};
const [all, rest, none] = [
  [200, 200, 200, 200, 429, 429],
  [200, 200, 429, 429],
  [429, 429],
];

describeWithOwn('redis', 'throttles without Redis', () => {
  beforeAll(async () => {
    database = await testDatabase();
  });
  beforeEach(async () => {
    distant = await distantRedis();
  });
  afterEach(async () => {
    await replicas.stop();
    await distant.drop();
  });
  afterAll(() => database.drop());

  it('count per gateway from a kill -9 on, and together again, where they were, when it is back', async () => {
    await start();
    await replicas.redisIs('connected');
    expect([await ask(replicas.one, 1), await ask(replicas.two, 1)]).toEqual([[200], [200]]);
    await distant.server.kill();
    expect([await ask(replicas.one, 6), await ask(replicas.two, 6)]).toEqual([all, all]);
    await distant.server.start();
    await replicas.redisIs('connected');
    expect([await ask(replicas.one, 4), await ask(replicas.two, 2)]).toEqual([rest, none]);
  });

  it('count per gateway until it comes up', async () => {
    await distant.server.stop();
    await start();
    expect([await ask(replicas.one, 6), await ask(replicas.two, 6)]).toEqual([all, all]);
    await distant.server.start();
    await replicas.redisIs('connected');
    expect([await ask(replicas.one, 4), await ask(replicas.two, 4)]).toEqual([
      [200, 200, 200, 200],
      [429, 429, 429, 429],
    ]);
  });

  it('hold no request up when nothing is heard of it any more', async () => {
    await start();
    await replicas.redisIs('connected');
    distant.between.cut();
    expect([await ask(replicas.one, 6), await ask(replicas.two, 6)]).toEqual([all, all]);
    distant.between.heal();
    await replicas.redisIs('connected');
    expect(await ask(replicas.one, 6)).toEqual(all);
  });

  it('count on when it forgets its scripts, and everything else', async () => {
    await start();
    await replicas.redisIs('connected');
    expect(await ask(replicas.one, 6)).toEqual(all);
    await replicas.redis.send(['SCRIPT', 'FLUSH']);
    expect(await ask(replicas.two, 2)).toEqual(none);
    await replicas.redis.send(['FLUSHALL']);
    expect(await ask(replicas.two, 6)).toEqual(all);
  });
});
