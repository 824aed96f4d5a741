import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  changeOrganizationEpoch,
  markApiKeyRevoked,
  markSessionRevoked,
  operations,
  permissions,
  systemRoles,
  type OperationRequest,
} from '@messaging-gateway/contracts';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import jwt from 'jsonwebtoken';
import { inTime } from '../testing/in-time.ts';
import {
  accessSecret,
  call,
  refreshSecret,
  startTestGateway,
  type Call,
  type TestGateway,
} from '../testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;
let listed: OperationRequest[];

beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url, environment: { TRUST_PROXY: 'loopback' } });
  listed = await gateway.own('ListThings', async ({ query }) => ({ status: 200, body: { query, after: [] } }));
  await gateway.own('DeleteThing', async () => ({ status: 204 }));
  await gateway.own('StartThing', async () => ({ status: 202, body: { status: 'starting' } }));
});

afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

const read = ['profile:read'];
const list = (given: Call) => call(gateway, 'GET', '/things', given);
const statusOf = async (given: Call): Promise<number> => (await list(given)).status;

describe('an access token', () => {
  const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('lets in whom it was made for', async () => {
    const { token, session } = gateway.identity.signIn(gateway.clock, { permissions: read });
    expect(await statusOf({ token })).toBe(200);
    expect(listed.at(-1)?.caller).toMatchObject({
      organizationId: session.organizationId,
      userId: session.userId,
      sessionId: session.sessionId,
    });
    expect(await statusOf({ headers: { authorization: `bearer ${token}` } })).toBe(200);
  });

  it('is required, and every fault of it is the same 401', async () => {
    const { claims, session } = gateway.identity.signIn(gateway.clock, { permissions: read });
    const { exp: _exp, ...endless } = claims;
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const sign = (
      changed: object,
      secret: jwt.Secret = accessSecret,
      options: jwt.SignOptions = { algorithm: 'HS256' },
    ): string => jwt.sign({ ...claims, ...changed }, secret, options);
    const [header, payload, signature] = sign({}).split('.') as [string, string, string];
    const none = `${base64({ alg: 'none', typ: 'JWT' })}.${base64(claims)}.`;
    const faulty: Record<string, Call> = {
      missing: {},
      empty: { headers: { authorization: '' } },
      'another scheme': { headers: { authorization: 'Basic YWRtaW46YWRtaW4=' } },
      nonsense: { token: 'x.y.z' },
      'alg none': { token: none },
      'alg none with the signature': { token: none + signature },
      HS512: { token: sign({}, accessSecret, { algorithm: 'HS512' }) },
      RS256: { token: sign({}, privateKey, { algorithm: 'RS256' }) },
      'another secret': { token: sign({}, `${accessSecret}x`) },
      'the refresh secret': { token: sign({ typ: 'refresh' }, refreshSecret) },
      'a refresh token signed as access': { token: sign({ typ: 'refresh', jti: randomUUID() }) },
      'a refresh token': { token: sign({ typ: 'refresh' }) },
      expired: { token: sign({ exp: Math.floor(gateway.clock.now() / 1000) - 1 }) },
      'without an end': { token: jwt.sign(endless, accessSecret) },
      'not yet valid': { token: sign({ nbf: Math.floor(gateway.clock.now() / 1000) + 60 }) },
      'a changed payload': { token: `${header}.${base64({ ...claims, sub: randomUUID() })}.${signature}` },
      'a changed signature': {
        token: `${header}.${payload}.${createHmac('sha256', 'x').update('y').digest('base64url')}`,
      },
      'a session of somebody else': { token: sign({ sub: randomUUID() }) },
      'another organization': { token: sign({ org: randomUUID() }) },
      'an unknown session': { token: sign({ sid: randomUUID() }) },
      'no uuid': { token: sign({ sid: 'revoked' }) },
    };
    const answers = await Promise.all(
      Object.entries(faulty).map(async ([name, given]) => ({ name, answer: await list(given) })),
    );
    expect(
      answers.filter(({ answer }) => answer.status !== 401).map(({ name, answer }) => [name, answer.status]),
    ).toEqual([]);
    expect(new Set(answers.map(({ answer }) => answer.body.error.message)).size).toBe(1);
    expect(answers[0]?.answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await statusOf({ token: sign({}) })).toBe(200);
    expect(session.permissions).toEqual(read);
  });

  it('expires by the clock', async () => {
    const { token } = gateway.identity.signIn(gateway.clock, { permissions: read });
    gateway.clock.advance(3_000_000);
    expect(await statusOf({ token })).toBe(200);
    gateway.clock.advance(600_001);
    expect(await statusOf({ token })).toBe(401);
  });
});

describe('a credential is remembered', () => {
  it('for 30 seconds, then identity is asked again', async () => {
    // Nothing is remembered while the gateway has not heard of identity for some seconds.
    const { token, session, asked } = await inTime(2000, async () => {
      const signedIn = gateway.identity.signIn(gateway.clock, { permissions: read });
      const before = gateway.identity.asked;
      for (let count = 0; count < 5; count++) expect(await statusOf({ token: signedIn.token })).toBe(200);
      return { ...signedIn, asked: gateway.identity.asked - before };
    });
    expect(asked).toBe(1);
    gateway.identity.sessions.delete(session.sessionId ?? '');
    gateway.clock.advance(30_001);
    expect(await statusOf({ token })).toBe(401);
  });

  it('but not beyond its revocation', async () => {
    const { token, session } = gateway.identity.signIn(gateway.clock, { permissions: read });
    const { key, hash } = gateway.identity.makeKey({ permissions: read });
    for (const given of [{ token }, { key }, { key }]) expect(await statusOf(given)).toBe(200);
    await markSessionRevoked(gateway.cache, session.sessionId ?? '');
    await markApiKeyRevoked(gateway.cache, hash);
    expect([await statusOf({ token }), await statusOf({ key })]).toEqual([401, 401]);
  });

  it('nor beyond a change of permissions', async () => {
    const { token, session } = gateway.identity.signIn(gateway.clock, { permissions: read });
    const { key, hash, resolved } = gateway.identity.makeKey({
      organizationId: session.organizationId,
      permissions: read,
    });
    for (const given of [{ token }, { key }, { key }]) expect(await statusOf(given)).toBe(200);
    gateway.identity.sessions.set(session.sessionId ?? '', { ...session, permissions: [] });
    gateway.identity.keys.set(hash, { ...resolved, permissions: [] });
    await changeOrganizationEpoch(gateway.cache, session.organizationId);
    expect([await statusOf({ token }), await statusOf({ key })]).toEqual([403, 403]);
  });

  it('an answer that was on its way during a change does not stay', async () => {
    const { token, session } = gateway.identity.signIn(gateway.clock, { permissions: read });
    const read30 = list({ token });
    await changeOrganizationEpoch(gateway.cache, session.organizationId);
    await read30;
    gateway.identity.sessions.set(session.sessionId ?? '', { ...session, permissions: [] });
    await changeOrganizationEpoch(gateway.cache, session.organizationId);
    expect(await statusOf({ token })).toBe(403);
  });
});

describe('an API key', () => {
  it('lets in, limited to its profiles', async () => {
    const profileIds = [randomUUID()];
    const { key, resolved } = gateway.identity.makeKey({ permissions: read, profileIds });
    expect(await statusOf({ key })).toBe(200);
    expect(listed.at(-1)?.caller).toMatchObject({ apiKeyId: resolved.apiKeyId, profileIds });
  });

  it('is refused when unknown, malformed or expired', async () => {
    const { key } = gateway.identity.makeKey({
      permissions: read,
      expiresAt: new Date(gateway.clock.now() + 600_000).toISOString(),
    });
    expect(await statusOf({ key })).toBe(200);
    gateway.clock.advance(600_001);
    expect(await statusOf({ key })).toBe(401);
    for (const bad of [`gw_${'x'.repeat(43)}`, 'gw_short', 'x'.repeat(46)])
      expect(await statusOf({ key: bad })).toBe(401);
  });

  it('works only from its addresses', async () => {
    const from = (key: string, address: string) => statusOf({ key, headers: { 'x-forwarded-for': address } });
    const { key } = gateway.identity.makeKey({
      permissions: read,
      allowedCidrs: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
    });
    for (const inside of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', '198.51.100.7'])
      expect([inside, await from(key, inside)]).toEqual([inside, 200]);
    // What a proxy passes on that is no address is nowhere.
    for (const outside of ['203.0.114.1', '2001:db9::1', '198.51.100.8', 'unknown', '203.0.113.9:4711', '::ffff:'])
      expect([outside, await from(key, outside)]).toEqual([outside, 401]);
    // Blocks and addresses mean the same in either notation of IPv4.
    const mapped = gateway.identity.makeKey({ permissions: read, allowedCidrs: ['::ffff:203.0.113.0/120'] });
    expect([await from(mapped.key, '203.0.113.9'), await from(mapped.key, '203.0.114.1')]).toEqual([200, 401]);
    expect(await from(key, '::ffff:cb00:7109')).toBe(200);
  });

  it('reads for its maker, but does not write what is the maker’s own', async () => {
    const { key } = gateway.identity.makeKey({ permissions: [...permissions] });
    expect((await call(gateway, 'DELETE', `/things/${randomUUID()}`, { key })).status).toBe(403);
    expect((await call(gateway, 'POST', `/things/${randomUUID()}/start`, { key })).status).toBe(202);
  });
});

describe('permissions', () => {
  it('decide on every route, for every role', async () => {
    const wrong: string[] = [];
    for (const [role, granted] of Object.entries(systemRoles)) {
      const { token } = gateway.identity.signIn(gateway.clock, { permissions: [...granted] });
      for (const { access, method, path, name } of operations.filter(
        (operation) => operation.access !== 'public' && operation.owner !== 'gateway',
      )) {
        const { status } = await call(gateway, method, path.replaceAll(/:\w+/g, randomUUID()), {
          token,
          ...(method !== 'GET' && { body: {} }),
        });
        const may = access.startsWith('own') || (granted as readonly string[]).includes(access);
        if ((status === 403) === may) wrong.push(`${role} ${name}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('a temporary password allows only to change it, to log out and to ask who one is', async () => {
    const { token } = gateway.identity.signIn(gateway.clock, {
      permissions: [...permissions],
      mustChangePassword: true,
    });
    const open = operations.filter(({ beforePasswordChange }) => beforePasswordChange === true);
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'GET /auth/me',
      'POST /auth/change-password',
      'POST /auth/logout',
    ]);
    for (const { method, path } of open) expect((await call(gateway, method, path, { token })).status).not.toBe(403);
    expect(await statusOf({ token })).toBe(403);
    expect((await call(gateway, 'GET', '/auth/sessions', { token })).status).toBe(403);
  });
});
