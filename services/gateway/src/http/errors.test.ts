import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refused } from '@messaging-gateway/messaging';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url });
  ({ token } = gateway.identity.signIn(gateway.clock, { permissions: ['profile:read', 'message:send'] }));
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

describe('errors of owners', () => {
  const refuse = async (refused: unknown, path = '/messages/text') => {
    const stop = await gateway.bus.serve('SendText', () => Promise.reject(refused));
    const body = { profileId: randomUUID(), to: '4915112345678', text: 'Hello' };
    const answer = await call(gateway, 'POST', path, { token, body });
    await stop();
    return answer;
  };

  it('are answered in the envelope with the status of their code', async () => {
    const answer = await refuse(
      new Refused('PROFILE_NOT_CONNECTED', 'The profile is not connected.', { messageId: 'm1', reason: 'dropped' }),
    );
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        success: false,
        error: {
          code: 'PROFILE_NOT_CONNECTED',
          message: 'The profile is not connected.',
          details: { messageId: 'm1', reason: 'dropped' },
          requestId: answer.headers.get('x-request-id'),
        },
      },
    ]);
  });

  it('are answered without what services tell each other with them', async () => {
    const inside = { unseen: true, nothingLeft: true, laneEpoch: 7 };
    const about = await refuse(new Refused('SERVICE_UNAVAILABLE', 'Not now.', { ...inside, messageId: 'm1' }));
    expect(about.body.error.details).toEqual({ messageId: 'm1' });
    const other = await refuse(new Refused('SERVICE_UNAVAILABLE', 'Not now.', inside));
    expect(Object.keys(other.body.error)).toEqual(['code', 'message', 'requestId']);
  });

  it('the daily limit has a body of its own', async () => {
    const details = { limit: 20, count: 20, resetAt: '2026-01-02T00:00:00+07:00' };
    const answer = await refuse(new Refused('DAILY_LIMIT_REACHED', 'Enough for today.', details));
    expect([answer.status, answer.text]).toEqual([429, JSON.stringify({ error: 'DAILY_LIMIT_REACHED', ...details })]);
  });

  it('what nobody foresaw says nothing of the inside', async () => {
    const answer = await refuse(new Error('connection to db-7 with password hunter2 failed'));
    expect([answer.status, answer.body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.text).not.toContain('hunter2');
  });

  it('an owner that is away is 503 with Retry-After', async () => {
    const answer = await call(gateway, 'POST', '/messages/text', {
      token,
      body: { profileId: randomUUID(), to: '4915112345678', text: 'Hello' },
    });
    expect([answer.status, answer.body.error.code, Number(answer.headers.get('retry-after')) > 0]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      true,
    ]);
  });

  it('an answer against its contract fails loudly in tests', async () => {
    const stop = await gateway.bus.serve('GetThing', async () => ({ status: 200, body: { id: 'x', name: 1 } }));
    const answer = await call(gateway, 'GET', `/things/${randomUUID()}`, { token });
    await stop();
    expect([answer.status, answer.body.error.message]).toEqual([
      500,
      expect.stringContaining('GetThing answered 200, against its contract'),
    ]);
  });
});
