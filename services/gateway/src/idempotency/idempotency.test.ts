import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { call, type Call, type Called } from '../testing/test-gateway.ts';
import { made, outcome, Things } from '../testing/things.ts';

let database: TestDatabase;
let things: Things;

const rows = async (): Promise<number> => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rowCount } = await client.query('SELECT 1 FROM gateway.idempotency_keys');
  await client.end();
  return rowCount ?? 0;
};

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => {
  things = new Things(database.url);
  return things.start();
});
afterEach(() => things.gateway.stop());
afterAll(() => database.drop());

const post = (key: string | undefined, given: Call = {}): Promise<Called> => things.post(key, given);

describe('an Idempotency-Key', () => {
  it('gives the same answer again, and the owner is asked once', async () => {
    const key = randomUUID();
    const first = await post(key);
    const again = await post(key, {
      body: undefined,
      raw: '{ "name" : "one" }',
      headers: { 'content-type': 'application/json' },
    });
    expect(outcome(first)).toEqual([201, expect.any(String), null]);
    expect([again.text, outcome(again)]).toEqual([first.text, [201, first.body['id'], 'true']]);
    expect(things.asked).toHaveLength(1);
  });

  it('keeps no answer above 64 KiB: a repeat goes on with what was made', async () => {
    const key = randomUUID();
    things.answer = async (request) => made({ ...request, body: { name: 'x'.repeat(70_000) } });
    const first = await post(key);
    const again = await post(key);
    expect([outcome(first), outcome(again)]).toEqual([
      [201, expect.any(String), null],
      [201, first.body['id'], null],
    ]);
    expect(things.asked.map(({ repeated = false }) => repeated)).toEqual([false, true]);
  });

  it('costs nothing when it is absent', async () => {
    const before = await rows();
    await Promise.all([post(undefined), post(undefined)]);
    expect([things.asked.length, await rows()]).toEqual([2, before]);
  });

  it('must be 1 to 255 visible characters', async () => {
    expect((await post('x'.repeat(255))).status).toBe(201);
    for (const bad of ['x'.repeat(256), 'with blank', '']) expect((await post(bad)).status).toBe(400);
  });

  it('belongs to one route and one body', async () => {
    const key = randomUUID();
    await post(key);
    for (const other of [
      await post(key, { body: { name: 'two' } }),
      await call(things.gateway, 'POST', '/things/send', {
        token: things.token,
        body: { name: 'one' },
        headers: { 'idempotency-key': key },
      }),
    ]) {
      expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    }
  });

  it('belongs to one organization, and on public routes to one address', async () => {
    const key = randomUUID();
    const { token: stranger } = things.gateway.identity.signIn(things.gateway.clock, { permissions: ['message:send'] });
    const { token: colleague } = things.gateway.identity.signIn(things.gateway.clock, {
      organizationId: things.organizationId,
      permissions: ['message:send'],
    });
    const first = await post(key);
    expect((await post(key, { token: stranger })).body['id']).not.toBe(first.body['id']);
    expect((await post(key, { token: colleague })).body['id']).toBe(first.body['id']);
    const open = () =>
      call(things.gateway, 'POST', '/open-things', { body: { name: 'one' }, headers: { 'idempotency-key': key } });
    expect((await open()).body['id']).not.toBe(first.body['id']);
    expect(outcome(await open())[2]).toBe('true');
  });

  it('does not give an answer to a key that is limited to other profiles', async () => {
    const key = randomUUID();
    const first = await post(key);
    const { key: narrow } = things.gateway.identity.makeKey({
      organizationId: things.organizationId,
      permissions: ['message:send'],
      profileIds: [randomUUID()],
    });
    const headers = { 'idempotency-key': key };
    expect(
      (await call(things.gateway, 'POST', '/things', { key: narrow, body: { name: 'one' }, headers })).status,
    ).toBe(422);
    expect(first.status).toBe(201);
  });

  it('does not give an answer to somebody who may do less, or something else', async () => {
    const key = randomUUID();
    expect((await post(key)).status).toBe(201);
    for (const more of [['org:read'], ['org:delete', 'role:manage']] as const) {
      const { token } = things.gateway.identity.signIn(things.gateway.clock, {
        organizationId: things.organizationId,
        permissions: ['message:send', ...more],
      });
      expect((await post(key, { token })).body.error.code).toBe('IDEMPOTENCY_MISMATCH');
    }
  });

  const refusedThenAsked = async (code: ErrorCode): Promise<unknown[]> => {
    const key = randomUUID();
    things.answer = () => Promise.reject(new Refused(code, 'No.'));
    await post(key);
    things.answer = made;
    const again = await post(key);
    return [again.status, again.headers.get('idempotency-replayed'), things.asked.at(-1)?.repeated];
  };

  it('keeps what another attempt would not change, and nothing else', async () => {
    expect(await refusedThenAsked('NOT_FOUND')).toEqual([404, 'true', undefined]);
    expect(await refusedThenAsked('RECIPIENT_UNKNOWN')).toEqual([422, 'true', undefined]);
    expect(await refusedThenAsked('FORBIDDEN')).toEqual([201, null, undefined]);
    expect(await refusedThenAsked('CONFLICT')).toEqual([201, null, undefined]);
    expect(await refusedThenAsked('RATE_LIMITED')).toEqual([201, null, undefined]);
  });

  it('keeps also what was wrong with the body', async () => {
    const key = randomUUID();
    const faulty = await post(key, { body: {} });
    const repeated = await post(key, { body: {} });
    expect([faulty.status, repeated.text, repeated.headers.get('idempotency-replayed')]).toEqual([
      400,
      faulty.text,
      'true',
    ]);
  });

  it('goes on with the same resource after a 5xx', async () => {
    const key = randomUUID();
    for (const code of ['ENGINE_TIMEOUT', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const) {
      things.answer = () => Promise.reject(new Refused(code, 'No.'));
      expect((await post(key)).body.error.code).toBe(code);
    }
    things.answer = () => Promise.reject(new Refused('CONFLICT', 'Not now.'));
    expect((await post(key)).status).toBe(409);
    things.answer = made;
    const settled = await post(key);
    expect(settled.body['repeated']).toBe(true);
    expect(new Set(things.asked.map(({ resourceId }) => resourceId)).size).toBe(1);
    expect(things.asked.map(({ repeated = false }) => repeated)).toEqual([false, true, true, true, true]);
    expect(outcome(await post(key))).toEqual([201, settled.body['id'], 'true']);
  });

  it('used 20 times at once is carried out once', async () => {
    const key = randomUUID();
    const { arrived, letGo } = things.hold();
    const all = Array.from({ length: 20 }, () => post(key));
    await arrived;
    const early = await Promise.race(all);
    expect(outcome(early)).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS', null]);
    const others = all.map(async (one) => (await one).status);
    setTimeout(letGo, 300);
    const statuses = await Promise.all(others);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    expect(things.asked).toHaveLength(1);
  });

  it('is forgotten after 24 hours', async () => {
    const key = randomUUID();
    const first = await post(key);
    things.gateway.clock.advance(86_400_001);
    const { organizationId } = things;
    const permissions = ['message:send'];
    const { token } = things.gateway.identity.signIn(things.gateway.clock, { organizationId, permissions });
    const later = await post(key, { token, body: { name: 'two' } });
    expect([later.status, later.body['id'] === first.body['id']]).toEqual([201, false]);
  });
});

it('answers are stored sealed', async () => {
  things.answer = async ({ resourceId }) => ({
    status: 201,
    body: { id: resourceId, name: 'gw_very-secret-key', repeated: false },
  });
  await post(randomUUID());
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows: stored } = await client.query<{ answer: Buffer }>(
    'SELECT answer FROM gateway.idempotency_keys WHERE answer IS NOT NULL',
  );
  await client.end();
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.some(({ answer: text }) => text.includes('secret-key'))).toBe(false);
});
