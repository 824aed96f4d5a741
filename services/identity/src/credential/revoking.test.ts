import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CreateApiKey,
  DeleteApiKey,
  Logout,
  ReadCredentialGeneration,
  RevokeSession,
  cacheTrustMs,
  revokedApiKeyKey,
  revokedSessionKey,
  type Caller,
} from '@messaging-gateway/contracts';
import { Unavailable, memoryCache, systemClock, type Cache } from '@messaging-gateway/runtime';
import { eventually } from '@messaging-gateway/testing';
import { IdentityFixture, claimsOf } from '../identity.fixture.ts';

let identity: IdentityFixture;
/** Of the attempts to write to the cache, which fail. */
let fails: (attempt: number) => boolean;
let attempts: number;
/** Promise that writes to the cache wait for. */
let held: Promise<void> | undefined;

const memory = memoryCache(systemClock);
const cache: Cache = {
  ...memory,
  set: async (...given) => {
    attempts += 1;
    await held;
    if (fails(attempts)) throw new Unavailable('Redis is not available.');
    await memory.set(...given);
  },
};
const generation = async (): Promise<string> =>
  (await identity.service.ask(ReadCredentialGeneration, {}, { timeoutMs: 60_000 })).generation;

beforeAll(async () => void (identity = await IdentityFixture.start({ cache })));
beforeEach(() => {
  attempts = 0;
  held = undefined;
  fails = () => false;
});
afterAll(() => identity.service.stop());

describe('a revocation', () => {
  it('is marked in the cache when it is answered, and nothing else is asked for again', async () => {
    const person = await identity.register();
    const [caller, before] = [await identity.callerOf(person), await generation()];
    await identity.service.call(Logout, { caller });
    expect(await memory.get(revokedSessionKey(claimsOf(person.accessToken).sid))).toBeDefined();
    expect(await generation()).toBe(before);
  });

  it('reaches keys of keys that were made while it was under way', async () => {
    const owner = await identity.newCaller();
    const make = async (caller: Caller | null): Promise<{ id: string; key: string }> => {
      if (caller === null) throw new Error('The key does not hold.');
      const { body } = await identity.service.call(CreateApiKey, { caller, body: { name: 'Robot' } });
      return body as { id: string; key: string };
    };
    const parent = await make(owner);
    const asParent = await identity.callerOfKey(parent.key);
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    held = promise;
    const revoked = identity.service.call(DeleteApiKey, { caller: owner, params: { id: parent.id } });
    await eventually(async () => (attempts > 0 ? true : undefined));
    const child = await make(asParent);
    const grandchild = await make(await identity.callerOfKey(child.key));
    goOn();
    await revoked;
    for (const { key } of [parent, child, grandchild]) {
      expect(await identity.callerOfKey(key)).toBeNull();
      expect(await memory.get(revokedApiKeyKey(createHash('sha256').update(key).digest('hex')))).toBeDefined();
    }
  });

  it('that cannot be marked puts all cached credentials out of date, and is answered when nobody goes by them', async () => {
    fails = () => true;
    const [person, before] = [await identity.register(), await generation()];
    const caller = await identity.callerOf(person);
    const begun = performance.now();
    await identity.service.call(Logout, { caller });
    expect(performance.now() - begun).toBeGreaterThan(cacheTrustMs);
    expect(await generation()).not.toBe(before);
    await expect(identity.callerOf(person)).rejects.toThrow('The session is over.');
  });

  it('is answered as soon as it could be marked after all', async () => {
    const person = await identity.register('once@example.com');
    const again = await identity.logIn('once@example.com');
    const caller = await identity.callerOf(again);
    fails = (attempt) => attempt <= 2;
    const { sid } = claimsOf(person.accessToken);
    await identity.service.call(RevokeSession, { caller, params: { id: sid } });
    expect(attempts).toBe(3);
    expect(await memory.get(revokedSessionKey(sid))).toBeDefined();
  });

  it('of a key, and of a session whose refresh token was stolen, is no different', async () => {
    const person = await identity.register();
    const caller = await identity.callerOf(person);
    const { body } = await identity.service.call(CreateApiKey, { caller, body: { name: 'key' } });
    const { id, key } = body as { id: string; key: string };
    fails = (attempt) => attempt <= 2;
    await identity.service.call(DeleteApiKey, { caller, params: { id } });
    expect(await memory.get(revokedApiKeyKey(createHash('sha256').update(key).digest('hex')))).toBeDefined();
    await identity.refresh(person.refreshToken);
    attempts = 0;
    const before = await generation();
    await expect(identity.refresh(person.refreshToken)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await memory.get(revokedSessionKey(claimsOf(person.accessToken).sid))).toBeDefined();
    expect(await generation()).not.toBe(before);
  });
});
