import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations, permissions } from '@messaging-gateway/contracts';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;

beforeAll(async () => {
  database = await testDatabase();
  const environment = { DEMO_MODE: 'true', CORS_ORIGINS: 'https://admin.example.com, http://localhost:3001' };
  gateway = await startTestGateway({ databaseUrl: database.url, environment });
});

afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

describe('demo mode', () => {
  it('refuses writes before it asks who it is, with its own body', async () => {
    for (const [method, path] of [
      ['POST', '/messages/text'],
      ['PUT', '/nothing'],
      ['PATCH', '/things'],
      ['DELETE', '/auth/sessions'],
      ['POST', '/auth/register'],
      ['POST', '/auth/logout'],
    ] as const) {
      const answer = await call(gateway, method, path, { body: {} });
      expect([path, answer.status, answer.body]).toEqual([
        path,
        403,
        { statusCode: 403, error: 'Demo Mode', message: 'This action is disabled in demo mode.', demoMode: true },
      ]);
    }
  });

  const refusal = {
    statusCode: 403,
    error: 'Demo Mode',
    message: 'This action is disabled in demo mode.',
    demoMode: true,
  };
  const open = ['POST /auth/2fa/verify', 'POST /auth/login', 'POST /auth/refresh'];

  it.each(operations.map(({ method, path }) => [`${method} ${path}`, method, path] as const))(
    'knows whether %s is a write, whoever asks',
    async (name, method, path) => {
      const { key } = gateway.identity.makeKey({ permissions: [...permissions] });
      const { token } = gateway.identity.signIn(gateway.clock, { permissions: [...permissions] });
      const concrete = path.replaceAll(/:[^/]+/g, '0198c0de-0000-7000-8000-000000000001');
      const body = method === 'GET' ? {} : { raw: '{', headers: { 'content-type': 'application/json' } };
      const credentials = [{}, { key }, { token }, { token: 'nonsense' }];
      const answers = await Promise.all(
        credentials.map((credential) => call(gateway, method, concrete, { ...credential, ...body })),
      );
      const isRefused = method !== 'GET' && !open.includes(name);
      for (const { status, body: shown } of answers) {
        expect('demoMode' in shown ? [status, shown] : 'passes').toEqual(isRefused ? [403, refusal] : 'passes');
      }
    },
  );

  it('lets exactly the writes of the list pass', () => {
    const allowed = operations.filter(({ allowedInDemo }) => allowedInDemo === true);
    expect(allowed.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(open);
  });

  it('lets reading pass', async () => {
    expect((await call(gateway, 'GET', '/health')).status).toBe(200);
    expect((await call(gateway, 'GET', '/things')).status).toBe(401);
    expect((await call(gateway, 'OPTIONS', '/things')).status).toBe(204);
  });

  it('lets logging in and refreshing pass', async () => {
    for (const path of ['/auth/login', '/auth/refresh', '/auth/login/']) {
      expect((await call(gateway, 'POST', path, { body: {} })).body.error.code).toBe('VALIDATION_ERROR');
    }
  });
});

describe('browsers', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,idempotency-key',
  };

  it('may call from the origins of CORS_ORIGINS, and read the headers', async () => {
    const answer = await call(gateway, 'GET', '/health', { headers: { origin: 'https://admin.example.com' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://admin.example.com');
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(answer.headers.get('vary')).toContain('Origin');
    const asked = await call(gateway, 'OPTIONS', '/messages/text', {
      headers: { origin: 'http://localhost:3001', ...preflight },
    });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, 'http://localhost:3001']);
    expect(asked.headers.get('access-control-allow-headers')).toContain('idempotency-key');
  });

  it('may not call from others', async () => {
    for (const origin of ['https://evil.example.com', 'null', 'https://admin.example.com.evil.com']) {
      const answer = await call(gateway, 'OPTIONS', '/messages/text', { headers: { origin, ...preflight } });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('are told to protect themselves', async () => {
    const { headers } = await call(gateway, 'GET', '/health');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});
