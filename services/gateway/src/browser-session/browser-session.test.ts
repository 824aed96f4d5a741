import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@messaging-gateway/contracts';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;
let demo: TestGateway;

const session = { 'x-admin-session': '1' };
const tls = { ...session, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
const refreshToken = `${Buffer.from('{}').toString('base64url')}.${Buffer.from('{"iat":1000,"exp":3000}').toString('base64url')}.x`;

beforeAll(async () => {
  database = await testDatabase();
  const environment = { TRUST_PROXY: 'loopback', CORS_ORIGINS: '*,https://admin.example.com' };
  gateway = await startTestGateway({ databaseUrl: database.url, environment });
  demo = await startTestGateway({ databaseUrl: database.url, environment: { DEMO_MODE: 'true' } });
  for (const { name, browserSession } of operations)
    if (browserSession === 'ends') await gateway.own(name, async () => ({ status: 204 }));
    else if (browserSession !== undefined)
      await gateway.own(name, async ({ body }) => ({
        status: name === 'Register' ? 201 : 200,
        body: {
          ...signedIn(),
          ...(name === 'RefreshTokens'
            ? { refreshToken: (body as { refreshToken: string }).refreshToken }
            : { user: person }),
        },
      }));
  await gateway.own('ListThings', async ({ query }) => ({ status: 200, body: { query, after: [] } }));
  await gateway.own('CreateThing', async ({ resourceId }) => ({
    status: 201,
    body: { id: resourceId, name: 'one', repeated: false },
  }));
});

afterAll(async () => {
  await Promise.all([gateway.stop(), demo.stop()]);
  await database.drop();
});

const person = {
  id: '0198c0de-0000-7000-8000-000000000001',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'Owner',
  organizationId: '0198c0de-0000-7000-8000-000000000002',
  permissions: [],
  twoFactorEnabled: false,
  backupCodesRemaining: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const granted = ['profile:read', 'message:send'];
const signIn = (): string => gateway.identity.signIn(gateway.clock, { permissions: granted }).token;
const signedIn = () => ({ accessToken: signIn(), refreshToken, expiresIn: 3600 });

const bodies: Readonly<Record<string, object>> = {
  Register: { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' },
  Login: { email: 'ada@example.com', password: 'correct horse battery' },
  VerifyTwoFactor: { challengeToken: 'x', code: '123456' },
};

describe('over TLS', () => {
  const beginning = operations.filter(({ browserSession }) => browserSession === 'begins');

  it.each(beginning.map(({ name, path }) => [name, path] as const))(
    '%s sets cookies of this host',
    async (name, path) => {
      const { status, headers, body } = await call(gateway, 'POST', path, { body: bodies[name], headers: tls });
      expect([status, body['accessToken'], body['refreshToken']]).toEqual([name === 'Register' ? 201 : 200, '', '']);
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-gateway_access=[^;]+; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
        ),
        `__Host-gateway_refresh=${refreshToken}; Max-Age=2000; Path=/; HttpOnly; Secure; SameSite=Strict`,
      ]);
    },
  );

  it('believes the page that it came over TLS, when the proxy says nothing', async () => {
    const headers = { ...session, origin: 'https://admin.example.com' };
    const answer = await call(gateway, 'POST', '/auth/login', { body: bodies['Login'], headers });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-.*Secure/),
      expect.stringMatching(/^__Host-.*Secure/),
    ]);
  });

  it('takes no cookie that another host of the domain can have set', async () => {
    const token = signIn();
    const list = (cookie: string) => call(gateway, 'GET', '/things', { headers: { ...tls, cookie } });
    expect((await list(`gateway_access=${token}`)).status).toBe(401);
    expect((await list(`gateway_access=${token}; __Host-gateway_access=${token}`)).status).toBe(200);
    const renewed = (cookie: string) => call(gateway, 'POST', '/auth/refresh', { headers: { ...tls, cookie } });
    expect((await renewed(`gateway_refresh=${refreshToken}`)).status).toBe(401);
    expect((await renewed(`__Host-gateway_refresh=${refreshToken}`)).status).toBe(200);
  });

  it('takes back both names', async () => {
    const cookie = `__Host-gateway_access=${signIn()}`;
    const { status, headers } = await call(gateway, 'POST', '/auth/logout', { headers: { ...tls, cookie } });
    expect([status, headers.getSetCookie().map((text) => text.replace(/;.*/, ''))]).toEqual([
      204,
      ['gateway_access=', '__Host-gateway_access=', 'gateway_refresh=', '__Host-gateway_refresh='],
    ]);
  });
});

describe('a cookie', () => {
  it('writes for pages of named origins only, by what the browser says', async () => {
    const cookie = `gateway_access=${signIn()}`;
    const statusBy = async (given: Record<string, string>) =>
      (await call(gateway, 'POST', '/things', { body: { name: 'one' }, headers: { ...session, cookie, ...given } }))
        .status;
    expect(await statusBy({ 'sec-fetch-site': 'same-origin' })).toBe(201);
    expect(await statusBy({ 'sec-fetch-site': 'same-site', origin: 'https://admin.example.com' })).toBe(201);
    for (const site of ['same-site', 'cross-site', 'none'])
      expect([site, await statusBy({ 'sec-fetch-site': site, origin: 'https://other.example.com' })]).toEqual([
        site,
        401,
      ]);
  });

  it('is for named origins, never for every one', async () => {
    const answered = async (origin: string) => {
      const { headers } = await call(gateway, 'GET', '/health', { headers: { origin } });
      return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
    };
    expect(await answered('https://admin.example.com')).toEqual(['https://admin.example.com', 'true']);
    expect(await answered('https://other.example.com')).toEqual(['*', null]);
  });

  it('has nothing to do with faulty ones beside it', async () => {
    const cookie = `x; =y; gateway_access=${signIn()}; z=%E0%A4%A; __proto__=q`;
    expect((await call(gateway, 'GET', '/things', { headers: { cookie } })).status).toBe(200);
    expect((await call(gateway, 'GET', '/things', { headers: { cookie: 'gateway_access=%E0%A4%A' } })).status).toBe(
      401,
    );
  });
});

it('is forgotten by a browser that signs out in demo mode, where no session ends', async () => {
  const { status, body, headers } = await call(demo, 'POST', '/auth/logout', { headers: session });
  expect([status, body['demoMode'], headers.getSetCookie().length]).toEqual([403, true, 2]);
  expect((await call(demo, 'POST', '/auth/logout')).headers.getSetCookie()).toEqual([]);
});
