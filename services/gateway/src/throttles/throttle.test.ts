import { afterEach, afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refused } from '@messaging-gateway/messaging';
import type { Logger } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type Call, type TestGateway } from '../testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => gateway.stop());
afterAll(() => database.drop());

const logged: string[] = [];
const note = (message: string, fields: object = {}): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
const log: Logger = { debug: () => undefined, info: note, warn: note, error: note, child: () => log };

async function start(environment: Record<string, string>): Promise<void> {
  logged.length = 0;
  gateway = await startTestGateway({
    databaseUrl: database.url,
    environment: { TRUST_PROXY: '1', ...environment },
    options: { log },
  });
  await gateway.own('ListThings', async ({ query }) => ({ status: 200, body: { query, after: [] } }));
}
async function statuses(
  count: number,
  method: string,
  path: string,
  given: (index: number) => Call,
): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await call(gateway, method, path, given(index))).status);
  return found;
}
const from = (address: string): Call => ({ headers: { 'x-forwarded-for': address } });

describe('throttles', () => {
  it('count every request of an address, and say how many are left', async () => {
    await start({ RATE_LIMIT_GLOBAL: '3/1h' });
    const first = await call(gateway, 'GET', '/health', from('192.0.2.1'));
    expect(first.headers.get('ratelimit-policy')).toMatch(/^"global"; q=3; w=3600/);
    expect(first.headers.get('ratelimit')).toMatch(/^"global"; r=2; t=\d+/);
    expect(await statuses(3, 'GET', '/nothing', () => from('192.0.2.1'))).toEqual([404, 404, 429]);
    const refused = await call(gateway, 'GET', '/health', from('192.0.2.1'));
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.error.message).toMatch(
      /^Too many requests \(3 in 3600 s from one address\): try again in \d+ s\.$/,
    );
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(gateway, 'GET', '/health', from('192.0.2.2'))).status).toBe(200);
  });

  it('believe proxies only as TRUST_PROXY says', async () => {
    await start({ RATE_LIMIT_GLOBAL: '3/1h', TRUST_PROXY: 'false' });
    expect(await statuses(4, 'GET', '/health', (index) => from(`192.0.2.${index}`))).toEqual([200, 200, 200, 429]);
  });

  it('count every request of a credential, whatever its address', async () => {
    await start({ RATE_LIMIT_MAX: '3', RATE_LIMIT_TTL: '3600' });
    const { token } = gateway.identity.signIn(gateway.clock, { permissions: ['profile:read'] });
    const { token: other } = gateway.identity.signIn(gateway.clock, { permissions: ['profile:read'] });
    const given = (index: number): Call => ({ token, ...from(`192.0.2.${index}`) });
    expect(await statuses(4, 'GET', '/things', given)).toEqual([200, 200, 200, 429]);
    expect((await call(gateway, 'GET', '/things', { token: other })).status).toBe(200);
  });

  it('are told once a minute for each tenant and limit, by the id of the organization, and without addresses', async () => {
    await start({ RATE_LIMIT_MAX: '1', RATE_LIMIT_TTL: '3600', RATE_LIMIT_AUTH: '1/1h' });
    const tenants = [0, 1].map(() => gateway.identity.signIn(gateway.clock, { permissions: ['profile:read'] }));
    const refuse = async (): Promise<void> => {
      for (const { token } of tenants) await statuses(3, 'GET', '/things', () => ({ token }));
      await statuses(3, 'POST', '/auth/login', () => from('192.0.2.1'));
    };
    await refuse();
    const of = (organizationId: string): string =>
      `Requests are throttled {"limit":"credential","organizationId":"${organizationId}"}`;
    const [one, other] = tenants.map(({ session }) => of(session.organizationId)) as [string, string];
    const anybody = 'Requests are throttled {"limit":"auth"}';
    expect(logged).toEqual([one, other, anybody]);
    gateway.clock.advance(60_000);
    await refuse();
    expect(logged).toEqual([one, other, anybody, one, other, anybody]);
  });

  it('have tiers', async () => {
    await start({ RATE_LIMIT_SHORT: '2/1h', RATE_LIMIT_LONG: '100/2h' });
    const { key } = gateway.identity.makeKey({ permissions: ['profile:read'] });
    expect(await statuses(3, 'GET', '/things', () => ({ key }))).toEqual([200, 200, 429]);
    expect((await call(gateway, 'GET', '/things', { key })).headers.get('ratelimit-policy')).toContain(
      '"short"; q=2; w=3600',
    );
  });

  it('let register and login share one limit; refresh has twice that', async () => {
    await start({ RATE_LIMIT_AUTH: '5/1h' });
    expect(await statuses(4, 'POST', '/auth/login', () => from('192.0.2.1'))).toEqual([400, 400, 400, 400]);
    expect(await statuses(2, 'POST', '/auth/register', () => from('192.0.2.1'))).toEqual([400, 429]);
    expect((await call(gateway, 'POST', '/auth/login', from('192.0.2.1'))).status).toBe(429);
    expect((await call(gateway, 'POST', '/auth/login', from('192.0.2.2'))).status).toBe(400);
    expect((await statuses(11, 'POST', '/auth/refresh', () => from('192.0.2.1'))).at(-1)).toBe(429);
  });

  it('let 2FA codes count with logins', async () => {
    await start({ RATE_LIMIT_AUTH: '5/1h' });
    expect(await statuses(3, 'POST', '/auth/2fa/verify', () => from('192.0.2.1'))).toEqual([400, 400, 400]);
    expect(await statuses(3, 'POST', '/auth/login', () => from('192.0.2.1'))).toEqual([400, 400, 429]);
    expect((await call(gateway, 'POST', '/auth/2fa/verify', from('192.0.2.1'))).status).toBe(429);
    expect((await call(gateway, 'POST', '/auth/2fa/verify', from('192.0.2.2'))).status).toBe(400);
  });

  it('count failed logins by e-mail address, wherever they come from', async () => {
    await start({ RATE_LIMIT_AUTH: '100/1h' });
    await gateway.bus.serve('Login', async ({ body }) => {
      if ((body as { password: string }).password === 'wrong')
        throw new Refused('UNAUTHORIZED', 'The credential is wrong.');
      throw new Refused('CONFLICT', 'A stand-in for success.');
    });
    const attempt =
      (email: string, password: string) =>
      (index: number): Call => ({ body: { email, password }, ...from(`192.0.2.${index}`) });
    expect(await statuses(9, 'POST', '/auth/login', attempt('ada@example.com', 'wrong'))).toEqual(
      Array.from({ length: 9 }, () => 401),
    );
    expect(await statuses(5, 'POST', '/auth/login', attempt('ada@example.com', 'right'))).toEqual(
      Array.from({ length: 5 }, () => 409),
    );
    expect(await statuses(2, 'POST', '/auth/login', attempt('ADA@example.com', 'wrong'))).toEqual([401, 429]);
    expect(await statuses(1, 'POST', '/auth/login', attempt('ada@example.com', 'right'))).toEqual([429]);
    const refused = await call(gateway, 'POST', '/auth/login', attempt('ada@example.com', 'right')(1));
    const wait = Number(refused.headers.get('retry-after'));
    expect([wait > 0, wait <= 900]).toEqual([true, true]);
    expect(await statuses(1, 'POST', '/auth/login', attempt('bob@example.com', 'wrong'))).toEqual([401]);
  });

  it('count wrong passwords of somebody who is signed in, over all routes that ask for one', async () => {
    await start({ RATE_LIMIT_AUTH: '100/1h' });
    for (const name of ['ChangePassword', 'DeleteAccountData'])
      await gateway.bus.serve(name, async ({ body }) => {
        if (JSON.stringify(body).includes('wrong')) throw new Refused('FORBIDDEN', 'The password is wrong.');
        throw new Refused('CONFLICT', 'A stand-in for success.');
      });
    const [ada, bob] = [gateway.identity.signIn(gateway.clock, {}), gateway.identity.signIn(gateway.clock, {})];
    const change = (token: string, currentPassword: string) => (): Call => ({
      token,
      body: { currentPassword, newPassword: 'another horse battery' },
    });
    expect(await statuses(5, 'POST', '/auth/change-password', change(ada.token, 'right'))).toEqual(Array(5).fill(409));
    expect(await statuses(9, 'POST', '/auth/change-password', change(ada.token, 'wrong'))).toEqual(Array(9).fill(403));
    const remove = (): Call => ({ token: ada.token, body: { password: 'wrong' } });
    expect(await statuses(2, 'DELETE', '/account/delete', remove)).toEqual([403, 429]);
    expect(await statuses(1, 'POST', '/auth/change-password', change(ada.token, 'right'))).toEqual([429]);
    expect(await statuses(1, 'POST', '/auth/change-password', change(bob.token, 'wrong'))).toEqual([403]);
  });

  it('can be switched off', async () => {
    await start({ RATE_LIMIT_GLOBAL: 'off', RATE_LIMIT_AUTH: 'off', RATE_LIMIT_MAX: '0' });
    const found = await statuses(130, 'GET', '/health', () => ({}));
    expect(new Set(found)).toEqual(new Set([200]));
    expect((await call(gateway, 'GET', '/health')).headers.get('ratelimit')).toBeNull();
    expect(new Set(await statuses(12, 'POST', '/auth/login', () => ({})))).toEqual(new Set([400]));
  });
});
