import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sessionCredentialKey } from '@messaging-gateway/contracts';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url });
  await gateway.own('ListThings', async ({ query }) => ({ status: 200, body: { query, after: [] } }));
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

const read = ['profile:read'];
const statusOf = async (token: string): Promise<number> => (await call(gateway, 'GET', '/things', { token })).status;

describe('a cached credential', () => {
  it('that somebody else has put into the cache, or moved there, lets nobody in', async () => {
    const { token, session } = gateway.identity.signIn(gateway.clock, { permissions: [] });
    const other = gateway.identity.signIn(gateway.clock, { permissions: read });
    expect([await statusOf(token), await statusOf(other.token)]).toEqual([403, 200]);
    const [own, others] = [session, other.session].map(({ sessionId }) => sessionCredentialKey(sessionId ?? ''));
    const kept = JSON.parse((await gateway.cache.get(own ?? '')) ?? '{}') as { credential: object };
    const forged = JSON.stringify({ ...kept, credential: { ...kept.credential, permissions: read } });
    for (const entry of [forged, (await gateway.cache.get(others ?? '')) ?? '', 'nothing']) {
      await gateway.cache.set(own ?? '', entry, 60_000);
      expect(await statusOf(token)).toBe(403);
    }
  });
});
