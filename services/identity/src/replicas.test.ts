import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreateApiKey, DeleteApiKey, ListSessions, Logout, RevokeOtherSessions } from '@messaging-gateway/contracts';
import { IdentityFixture, claimsOf, newAddress, password } from './identity.fixture.ts';

let identity: IdentityFixture;

beforeAll(async () => {
  identity = await IdentityFixture.start({ replicas: 2 });
});
afterAll(() => identity.service.stop());

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );
/** So many at the same time: the bus gives each replica half of them. */
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

describe('two replicas of identity', () => {
  it('give an address to one of many', async () => {
    const email = newAddress();
    const codes = await times(6, () => codeOf(identity.register(email)));
    expect(codes.toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
      ...Array.from({ length: 5 }, () => 'CONFLICT'),
      'answered',
    ]);
    for (const _ of [1, 2]) expect((await identity.logIn(email)).user.role).toBe('Owner');
  });

  it('exchange a refresh token once, and give the same to those that came together', async () => {
    for (let round = 0; round < 5; round++) {
      const { refreshToken } = await identity.register();
      const pairs = await Promise.allSettled([identity.refresh(refreshToken), identity.refresh(refreshToken)]);
      const given = pairs.flatMap((pair) => (pair.status === 'fulfilled' ? [pair.value.refreshToken] : []));
      expect(new Set(given).size).toBeLessThanOrEqual(1);
      if (given.length < 2) continue; // one came after the other: that is a repeat, which ends the session
      for (const _ of [1, 2]) expect(claimsOf(given[0] ?? '').typ).toBe('refresh');
      expect(await codeOf(identity.refresh(given[0] ?? ''))).toBe('answered');
    }
  });

  it('end a session on both whose used refresh token comes again, to either', async () => {
    for (let round = 0; round < 2; round++) {
      const person = await identity.register();
      const next = await identity.refresh(person.refreshToken);
      if (round === 1) await identity.callerOf(next); // the other replica is next
      expect(await codeOf(identity.refresh(person.refreshToken))).toBe('UNAUTHORIZED');
      for (const _ of [1, 2]) expect(await codeOf(identity.refresh(next.refreshToken))).toBe('UNAUTHORIZED');
      for (const _ of [1, 2]) await expect(identity.callerOf(next)).rejects.toThrow('over');
    }
  });

  it('know at once what the other has revoked', async () => {
    const email = newAddress();
    const first = await identity.register(email);
    const others = await times(4, () => identity.logIn(email, password));
    const caller = await identity.callerOf(first);
    expect((await identity.service.call(ListSessions, { caller })).body).toHaveLength(5);
    const counts = await times(2, async () => {
      const { body } = await identity.service.call(RevokeOtherSessions, { caller });
      return (body as { revokedCount: number }).revokedCount;
    });
    expect(Math.max(...counts)).toBe(4);
    for (const other of others) for (const _ of [1, 2]) await expect(identity.callerOf(other)).rejects.toThrow('over');
    await identity.service.call(Logout, { caller });
    for (const _ of [1, 2]) await expect(identity.callerOf(first)).rejects.toThrow('over');
  });

  it('know keys, and keys of keys, wherever they were made and revoked', async () => {
    const caller = await identity.newCaller();
    const made = await times(4, async (index) => {
      const { body } = await identity.service.call(CreateApiKey, { caller, body: { name: `key ${index}` } });
      return body as { id: string; key: string };
    });
    for (const { id, key } of made) {
      for (const _ of [1, 2]) expect(await identity.callerOfKey(key)).toMatchObject({ apiKeyId: id });
      await identity.service.call(DeleteApiKey, { caller, params: { id } });
      for (const _ of [1, 2]) expect(await identity.callerOfKey(key)).toBeNull();
    }
  });

  it('go on when one of them stops', async () => {
    const person = await identity.register();
    const logins = times(10, () => codeOf(identity.register()));
    await identity.service.stopReplica(1);
    expect(new Set(await logins)).toEqual(new Set(['answered']));
    await identity.callerOf(person);
  });
});
