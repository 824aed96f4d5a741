import { randomUUID } from 'node:crypto';
import { request as rawRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@messaging-gateway/contracts';
import type { OperationRequest } from '@messaging-gateway/contracts';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;
let token: string;
let created: OperationRequest[];

beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url });
  ({ token } = gateway.identity.signIn(gateway.clock, { permissions: ['profile:read', 'message:send'] }));
  created = await gateway.own('CreateThing', async ({ body, resourceId }) => ({
    status: 201,
    body: { id: resourceId, name: (body as { name: string }).name, repeated: false },
  }));
  await gateway.own('ListThings', async ({ query, after = [] }) => ({
    status: 200,
    body: { query, after: after.map(({ id }) => id) },
  }));
  await gateway.own('SendThing', async ({ body }) => ({
    status: 200,
    body: { length: (body as { name: string }).name.length },
  }));
  await gateway.own('DeleteThing', async () => ({ status: 204 }));
  await gateway.own('StartThing', async () => ({ status: 202, body: { status: 'starting' } }));
});

afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

const post = (given: Parameters<typeof call>[3]) => call(gateway, 'POST', '/things', { token, ...given });

describe('routes come from the contracts', () => {
  it('every operation of the catalogue has a route', async () => {
    const path = (template: string): string => template.replaceAll(/:\w+/g, randomUUID());
    const answers = await Promise.all(
      operations.map(async ({ method, path: template }) => (await call(gateway, method, path(template))).status),
    );
    expect(answers.filter((status) => status === 404 || status === 405)).toEqual([]);
  });

  it('answers bare, in an envelope, or with nothing, as the contract says', async () => {
    const bare = await post({ body: { name: 'one' } });
    expect([bare.status, bare.body]).toEqual([201, { id: expect.any(String), name: 'one', repeated: false }]);
    const wrapped = await call(gateway, 'POST', '/things/send', { token, body: { name: 'four' } });
    expect([wrapped.status, wrapped.body]).toEqual([
      200,
      { success: true, data: { length: 4 }, meta: { timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) } },
    ]);
    const nothing = await call(gateway, 'DELETE', `/things/${randomUUID()}`, { token });
    expect([nothing.status, nothing.text]).toEqual([204, '']);
  });

  it('prefers a word to a parameter', async () => {
    expect((await call(gateway, 'GET', '/things/send', { token })).headers.get('allow')).toBe('POST, OPTIONS');
  });

  it('takes a path with a slash at its end, and no second one', async () => {
    expect((await call(gateway, 'GET', '/things/', { token })).status).toBe(200);
    expect((await call(gateway, 'GET', '/things//', { token })).status).toBe(404);
  });

  it('answers 404 for unknown paths and for ids that can be none', async () => {
    for (const path of ['/nothing', '//nothing', '//api/v2/things', '/things/42', '/things/%zz', '/Things']) {
      const answer = await call(gateway, 'GET', path, { token });
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
  });

  it('answers 405 with the methods that there are', async () => {
    const answer = await call(gateway, 'PUT', '/things', { token });
    expect([answer.status, answer.body.error.code, answer.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, POST, HEAD, OPTIONS',
    ]);
  });

  it('answers HEAD like GET without a body, and OPTIONS with the methods', async () => {
    const head = await call(gateway, 'HEAD', '/things', { token });
    expect([head.status, head.text, Number(head.headers.get('content-length')) > 0]).toEqual([200, '', true]);
    const options = await call(gateway, 'OPTIONS', '/things');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS']);
  });
});

describe('bodies', () => {
  it('must be JSON', async () => {
    expect((await post({ raw: '{"name":', headers: { 'content-type': 'application/json' } })).body.error.code).toBe(
      'VALIDATION_ERROR',
    );
    const wrong = await post({ raw: 'name=one', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    expect([wrong.status, wrong.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const charset = await post({
      raw: '{"name":"one"}',
      headers: { 'content-type': 'application/json; charset=koi8-r' },
    });
    expect(charset.status).toBe(415);
    const suffixed = await post({
      raw: '{"name":"one"}',
      headers: { 'content-type': 'application/vnd.api+json; charset=utf-8' },
    });
    expect(suffixed.status).toBe(201);
  });

  it('may be compressed; what cannot be unpacked is the fault of its sender', async () => {
    const json = { 'content-type': 'application/json' };
    const packed = Uint8Array.from(gzipSync('{"name":"one"}'));
    const send = (raw: string | Uint8Array<ArrayBuffer>, encoding: string) =>
      post({ raw, headers: { ...json, 'content-encoding': encoding } });
    expect((await send(packed, 'gzip')).status).toBe(201);
    const broken = [
      await send('{"name":"one"}', 'gzip'),
      await send(packed.slice(0, 15), 'gzip'),
      await send('{"name":"one"}', 'deflate'),
      await send('{"name":"one"}', 'br'),
    ];
    const faults = [{ path: 'headers.content-encoding', message: expect.any(String) }];
    expect(broken.map(({ status, body }) => [status, body.error.code, body.error.details])).toEqual(
      broken.map(() => [400, 'VALIDATION_ERROR', faults]),
    );
  });

  it('name every field that is missing, unknown or malformed', async () => {
    const answer = await post({ body: { name: '', colour: 'red' } });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual(
      expect.arrayContaining([
        { path: 'body.colour', message: 'is not a known field' },
        { path: 'body.name', message: expect.any(String) },
      ]),
    );
    expect((await post({})).body.error.details).toEqual([{ path: 'body.name', message: 'is required' }]);
    expect((await post({ raw: '[]', headers: { 'content-type': 'application/json' } })).status).toBe(400);
    expect(
      (await post({ raw: '{"name":"one","__proto__":{"x":1}}', headers: { 'content-type': 'application/json' } }))
        .status,
    ).toBe(400);
  });

  it('may be absent or empty where none is needed, but may not hold fields', async () => {
    const start = (given: Parameters<typeof call>[3]) =>
      call(gateway, 'POST', `/things/${randomUUID()}/start`, { token, ...given });
    expect((await start({})).status).toBe(202);
    expect((await start({ body: {} })).status).toBe(202);
    expect((await start({ body: { now: true } })).body.error.details).toEqual([
      { path: 'body.now', message: 'is not a known field' },
    ]);
  });

  it('may have 1 MiB, or 25 MiB where media can be inside', async () => {
    const mebibytes = (count: number): { name: string } => ({ name: 'x'.repeat(count * 1024 * 1024 - 100) });
    expect((await post({ body: mebibytes(1) })).status).toBe(201);
    const large = await post({ body: mebibytes(1.1) });
    expect([large.status, large.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await call(gateway, 'POST', '/things/send', { token, body: mebibytes(25) })).status).toBe(200);
    expect((await call(gateway, 'POST', '/things/send', { token, body: mebibytes(25.1) })).status).toBe(413);
  });
});

describe('queries', () => {
  it('are read by their types, with defaults', async () => {
    const answer = await call(gateway, 'GET', '/things?limit=7&archived=true&tags=a&tags=b', { token });
    expect(answer.body['query']).toEqual({ limit: 7, archived: true, tags: ['a', 'b'] });
    expect((await call(gateway, 'GET', '/things?tags=a', { token })).body['query']).toEqual({ limit: 50, tags: ['a'] });
  });

  it('are refused with the name of the field', async () => {
    const details = async (query: string) =>
      (await call(gateway, 'GET', `/things?${query}`, { token })).body.error.details;
    const notWhole = [{ path: 'query.limit', message: 'must be a whole number, such as 10' }];
    expect(await details('colour=red')).toEqual([{ path: 'query.colour', message: 'is not a known field' }]);
    expect(await details('limit=many')).toEqual(notWhole);
    expect(await details('limit=201')).toEqual([{ path: 'query.limit', message: 'must be at most 200' }]);
    expect(await details('limit=1&limit=2')).toEqual(notWhole);
  });

  it('hold no character that the database cannot hold', async () => {
    const faults = (path: string) => [{ path, message: 'must not hold the character NUL' }];
    const answers = await Promise.all(
      ['/profiles?search=a%00b', '/things?tags=a&tags=%00'].map((path) => call(gateway, 'GET', path, { token })),
    );
    expect(answers.map(({ status, body }) => [status, body.error.details])).toEqual([
      [400, faults('query.search')],
      [400, faults('query.tags')],
    ]);
  });

  it('name moments that there are: no leap seconds, no offsets without minutes', async () => {
    const { token: auditor } = gateway.identity.signIn(gateway.clock, { permissions: ['audit:read'] });
    for (const from of ['2016-12-31T23:59:60Z', '2026-01-01T00:00:00%2B01']) {
      const { status, body } = await call(gateway, 'GET', `/audit/logs?from=${from}`, { token: auditor });
      expect([status, body.error.details]).toEqual([400, [{ path: 'query.from', message: expect.any(String) }]]);
    }
  });
});

describe('request ids', () => {
  it('are taken over when they are visible characters, at most 128, and made otherwise', async () => {
    const echoed = async (id: string) =>
      (await post({ body: { name: 'one' }, headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await echoed('order-17')).toBe('order-17');
    expect(created.at(-1)?.requestId).toBe('order-17');
    for (const bad of ['with blank', 'x'.repeat(129), '']) expect(await echoed(bad)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('stand in errors', async () => {
    const answer = await call(gateway, 'GET', '/things', { headers: { 'x-request-id': 'order-18' } });
    expect(answer.body.error.requestId).toBe('order-18');
    expect(answer.headers.get('x-request-id')).toBe('order-18');
  });
});

describe('the request to an owner', () => {
  it('names the caller, an id for what is made, a deadline and a trace', async () => {
    await post({
      body: { name: 'one' },
      headers: { 'user-agent': 'tests', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
    });
    expect(created.at(-1)).toMatchObject({
      caller: { permissions: ['profile:read', 'message:send'], ip: '127.0.0.1', userAgent: 'tests' },
      resourceId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      params: {},
      query: {},
    });
    expect((created.at(-1)?.deadline ?? 0) - gateway.clock.now()).toBeLessThanOrEqual(60_000);
    expect(created.at(-1)).not.toHaveProperty('repeated');
  });
});

it('takes a request that arrives in pieces', async () => {
  const status = await new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = rawRequest(`${gateway.url}/api/v1/things`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.write('{"name":');
    setTimeout(() => sent.end('"one"}'), 20);
  });
  expect(status).toBe(201);
});
