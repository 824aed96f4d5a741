import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Refused } from '@messaging-gateway/messaging';
import { describeWith, testDatabase, testRedis, type TestDatabase, type TestRedis } from '@messaging-gateway/testing';
import { startReplicas, type Replicas } from '../testing/replicas.ts';
import { call, type Call, type Called } from '../testing/test-gateway.ts';

let database: TestDatabase;
let server: TestRedis;
let replicas: Replicas;

/** So many requests at the same time, each to the other gateway than the one before. @returns how often each status */
async function storm(
  count: number,
  method: string,
  path: string,
  given: (index: number) => Call,
): Promise<Record<number, number>> {
  const all = await Promise.all(Array.from({ length: count }, (_, index) => to(index, method, path, given(index))));
  const counts: Record<number, number> = {};
  for (const { status } of all) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
const to = (index: number, method: string, path: string, given: Call): Promise<Called> =>
  call(index % 2 === 0 ? replicas.one : replicas.two, method, path, given);
const from = (address: string): Call => ({ headers: { 'x-forwarded-for': address } });

async function start(environment: Record<string, string>): Promise<void> {
  replicas = await startReplicas({ databaseUrl: database.url, redisUrl: server.url, environment });
  await replicas.redisIs('connected');
  await replicas.one.own('ListThings', async ({ query }) => ({ status: 200, body: { query, after: [] } }));
}

describeWith('redis', 'throttles of two gateways', () => {
  beforeAll(async () => {
    database = await testDatabase();
    server = await testRedis();
  });
  afterEach(() => replicas.stop());
  afterAll(async () => {
    await server.drop();
    await database.drop();
  });

  it('let an address through exactly as often as one gateway would, and tell what is left', async () => {
    await start({ RATE_LIMIT_GLOBAL: '50/1h' });
    const told = [];
    for (let index = 0; index < 3; index++) told.push(await to(index, 'GET', '/health', from('192.0.2.1')));
    expect(told.map(({ headers }) => headers.get('ratelimit')?.replace(/t=\d+/, 't'))).toEqual([
      '"global"; r=49; t',
      '"global"; r=48; t',
      '"global"; r=47; t',
    ]);
    expect(told[2]?.headers.get('ratelimit-policy')).toMatch(/^"global"; q=50; w=3600/);
    expect(Number(/t=(\d+)/.exec(told[2]?.headers.get('ratelimit') ?? '')?.[1])).toBeGreaterThan(3500);
    expect(await storm(120, 'GET', '/health', () => from('192.0.2.1'))).toEqual({ 200: 47, 429: 73 });
    const refused = await to(0, 'GET', '/health', from('192.0.2.1'));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await to(1, 'GET', '/health', from('192.0.2.2'))).status).toBe(200);
  });

  describe('of a credential', () => {
    const tiers: Record<string, Record<string, string>> = {
      credential: { RATE_LIMIT_MAX: '30', RATE_LIMIT_TTL: '3600' },
      short: { RATE_LIMIT_SHORT: '30/1h' },
      medium: { RATE_LIMIT_MEDIUM: '30/1h' },
      long: { RATE_LIMIT_LONG: '30/1h' },
      'the narrowest of all': { RATE_LIMIT_MAX: '60', RATE_LIMIT_SHORT: '30/1h', RATE_LIMIT_LONG: '90/1h' },
    };
    for (const [tier, environment] of Object.entries(tiers)) {
      it(`are exact: ${tier}`, async () => {
        await start(environment);
        const { token } = replicas.one.identity.signIn(replicas.one.clock, { permissions: ['profile:read'] });
        const { key } = replicas.one.identity.makeKey({ permissions: ['profile:read'] });
        expect(await storm(80, 'GET', '/things', () => ({ token }))).toEqual({ 200: 30, 429: 50 });
        expect(await storm(40, 'GET', '/things', () => ({ key }))).toEqual({ 200: 30, 429: 10 });
      });
    }
  });

  it('of logging in are exact: register and login share one, refresh has twice that', async () => {
    await start({ RATE_LIMIT_AUTH: '10/1h' });
    const given = () => ({ ...from('192.0.2.7'), body: {} });
    const [logins, registrations] = await Promise.all([
      storm(20, 'POST', '/auth/login', given),
      storm(20, 'POST', '/auth/register', given),
    ]);
    expect((logins[400] ?? 0) + (registrations[400] ?? 0)).toBe(10);
    expect(await storm(50, 'POST', '/auth/refresh', given)).toEqual({ 400: 20, 429: 30 });
  });

  it('count failed logins by e-mail address, and only those that failed', async () => {
    await start({ RATE_LIMIT_AUTH: '1000/1h' });
    await replicas.one.bus.serve('Login', async ({ body }) => {
      if ((body as { password: string }).password === 'wrong') throw new Refused('UNAUTHORIZED', 'It is wrong.');
      throw new Refused('CONFLICT', 'A stand-in for success.');
    });
    const email = `${randomUUID()}@example.com`;
    const attempt = (password: string) => (index: number) => ({
      body: { email, password },
      ...from(`192.0.2.${index}`),
    });
    const key = `gw:throttle:failed-email:${createHash('sha256').update(email).digest('base64')}`;
    const counted = async (hits: string): Promise<void> => {
      while ((await replicas.redis.send(['GET', key])) !== hits) await wait(10);
    };
    expect(await storm(6, 'POST', '/auth/login', attempt('wrong'))).toEqual({ 401: 6 });
    for (let round = 0; round < 5; round++) {
      expect(await storm(4, 'POST', '/auth/login', attempt('right'))).toEqual({ 409: 4 });
      await counted('6'); // a success is taken back when it has been answered
    }
    expect(await storm(24, 'POST', '/auth/login', attempt('wrong'))).toEqual({ 401: 4, 429: 20 });
    expect(await storm(2, 'POST', '/auth/login', attempt('right'))).toEqual({ 429: 2 });
  });
});
