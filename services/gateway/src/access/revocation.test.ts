import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  cacheTrustMs,
  changeOrganizationEpoch,
  markApiKeyRevoked,
  markSessionRevoked,
  sessionCredentialKey,
} from '@messaging-gateway/contracts';
import { openRedis, type Redis } from '@messaging-gateway/redis';
import { silentLogger } from '@messaging-gateway/runtime';
import { describeWithOwn, testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { distantRedis, type DistantRedis } from '../testing/distant-redis.ts';
import { inTime } from '../testing/in-time.ts';
import { startReplicas, type Replicas } from '../testing/replicas.ts';
import { call, type Call, type TestGateway } from '../testing/test-gateway.ts';

const read = ['profile:read'];

let database: TestDatabase;
/** Both gateways come to it from afar; identity has a way of its own. */
let distant: DistantRedis;
let replicas: Replicas;
let identity: Redis;

const on = async (gateway: TestGateway, given: Call): Promise<number> =>
  (await call(gateway, 'GET', '/things', given)).status;
const both = async (given: Call): Promise<number[]> => [await on(replicas.one, given), await on(replicas.two, given)];
const signIn = () => replicas.one.identity.signIn(replicas.one.clock, { permissions: read });
const asked = (): number => replicas.one.identity.asked;

describeWithOwn('redis', 'a revoked credential', () => {
  beforeAll(async () => {
    database = await testDatabase();
  });
  beforeEach(async () => {
    distant = await distantRedis();
    replicas = await startReplicas({ databaseUrl: database.url, redisUrl: distant.distantUrl });
    identity = openRedis({ url: distant.server.url, log: silentLogger, commandTimeoutMs: 5000 });
    await replicas.one.own('ListThings', async ({ query }) => ({ status: 200, body: { query, after: [] } }));
    await replicas.redisIs('connected');
    while (identity.state() === 'away') await wait(10);
  });
  afterEach(async () => {
    await replicas.stop();
    await identity.close();
    await distant.drop();
  });
  afterAll(() => database.drop());

  it('is refused by every gateway at once, as are changed permissions', async () => {
    // Nothing is remembered while the gateways have not heard of identity for some seconds.
    const { token, session, other, changed, key, hash, questions } = await inTime(2000, async () => {
      const [first, second] = [signIn(), signIn()];
      const made = replicas.one.identity.makeKey({ permissions: read });
      const before = asked();
      for (const given of [{ token: first.token }, { token: second.token }, { key: made.key }, { key: made.key }])
        expect(await both(given)).toEqual([200, 200]);
      return { ...first, other: second.token, changed: second.session, ...made, questions: asked() - before };
    });
    expect(questions).toBe(5); // a session once; a key also once by each gateway, to learn its organization
    await markSessionRevoked(identity.cache, session.sessionId ?? '');
    await markApiKeyRevoked(identity.cache, hash);
    replicas.one.identity.sessions.set(changed.sessionId ?? '', { ...changed, permissions: [] });
    await changeOrganizationEpoch(identity.cache, changed.organizationId);
    expect([await both({ token }), await both({ key }), await both({ token: other })]).toEqual([
      [401, 401],
      [401, 401],
      [403, 403],
    ]);
  });

  it('is not accepted while Redis is away: identity is asked every time', async () => {
    const { token, session } = signIn();
    expect(await both({ token })).toEqual([200, 200]);
    await distant.server.kill();
    const before = asked();
    expect([await both({ token }), await both({ token })]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    expect(asked() - before).toBe(4);
    replicas.one.identity.sessions.delete(session.sessionId ?? '');
    expect(await both({ token })).toEqual([401, 401]);
  });

  it('is not accepted from entries that outlived a restart of Redis while the mark did not', async () => {
    const { token, session } = signIn();
    expect(await both({ token })).toEqual([200, 200]);
    await distant.server.kill();
    // The revocation could not be marked, and Redis comes back with the entries of before.
    replicas.one.identity.sessions.delete(session.sessionId ?? '');
    await distant.server.start();
    await replicas.redisIs('connected');
    while (identity.state() === 'away') await wait(10);
    expect(await identity.cache.get(sessionCredentialKey(session.sessionId ?? ''))).toBeDefined();
    expect(await both({ token })).toEqual([401, 401]);
  });

  it('is not accepted from an answer that was on its way when Redis restarted', async () => {
    const { token, session } = signIn();
    const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    replicas.one.identity.hold = async () => {
      reached.resolve();
      await go.promise;
    };
    const early = on(replicas.one, { token });
    await reached.promise;
    await markSessionRevoked(identity.cache, session.sessionId ?? '');
    await distant.server.kill();
    await distant.server.start();
    await replicas.redisIs('connected');
    while (identity.state() === 'away') await wait(10);
    await identity.send(['FLUSHALL']); // the mark is lost
    go.resolve();
    expect(await early).toBe(200); // asked before it was revoked
    replicas.one.identity.hold = async () => undefined;
    replicas.one.identity.sessions.delete(session.sessionId ?? '');
    expect(await both({ token })).toEqual([401, 401]);
  });

  it('is not accepted when identity could not mark it, which only the gateways’ Redis has kept', async () => {
    const { token, session } = signIn();
    expect(await both({ token })).toEqual([200, 200]);
    replicas.one.identity.sessions.delete(session.sessionId ?? '');
    replicas.one.identity.generation = randomUUID(); // identity answers the revocation after this and `cacheTrustMs`
    await wait(cacheTrustMs);
    expect(await both({ token })).toEqual([401, 401]);
  });

  it('is not accepted from the cache by a gateway that identity cannot tell of a new generation', async () => {
    const { token } = signIn();
    expect(await both({ token })).toEqual([200, 200]);
    replicas.one.identity.silent = true;
    await wait(cacheTrustMs);
    expect(await both({ token })).toEqual([503, 503]);
    replicas.one.identity.silent = false;
    expect(await both({ token })).toEqual([200, 200]);
  });

  it('is not accepted by a gateway that was cut off and is back', async () => {
    const { token, session } = signIn();
    const { token: kept } = signIn();
    expect([await both({ token }), await both({ token: kept })]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    distant.between.cut();
    replicas.one.identity.sessions.delete(session.sessionId ?? '');
    await markSessionRevoked(identity.cache, session.sessionId ?? '');
    expect([await both({ token }), await both({ token: kept })]).toEqual([
      [401, 401],
      [200, 200],
    ]);
    distant.between.heal();
    await replicas.redisIs('connected');
    expect([await both({ token }), await both({ token: kept })]).toEqual([
      [401, 401],
      [200, 200],
    ]);
  });
});
