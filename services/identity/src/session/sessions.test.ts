import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ChangePassword,
  Logout,
  Refresh,
  RevokeOtherSessions,
  RevokeSession,
  type Caller,
} from '@messaging-gateway/contracts';
import { eventually } from '@messaging-gateway/testing';
import jwt from 'jsonwebtoken';
import { v7 } from 'uuid';
import { IdentityFixture, claimsOf, newAddress, password, settings, type SignedIn } from '../identity.fixture.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await IdentityFixture.start();
});
afterAll(() => fixture.service.stop());

const refusal = (code: string) => expect.objectContaining({ code });

describe('refreshing', () => {
  it('answers a new pair for the same session', async () => {
    const first = await fixture.register();
    const second = await fixture.refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(claimsOf(second.accessToken).sid).toBe(claimsOf(first.accessToken).sid);
    await expect(fixture.callerOf(second)).resolves.toMatchObject({ userId: first.user.id });
  });

  it('revokes the session when a used token comes again', async () => {
    const first = await fixture.register();
    const second = await fixture.refresh(first.refreshToken);
    await expect(fixture.refresh(first.refreshToken)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(fixture.refresh(second.refreshToken)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(fixture.callerOf(second)).rejects.toThrow('The session is over.');
  });

  it('goes on with the session when the same request comes again, as its answer was lost', async () => {
    const { refreshToken } = await fixture.register();
    const again = { body: { refreshToken }, resourceId: v7() };
    const [first, second] = [
      (await fixture.service.call(Refresh, again)).body as SignedIn,
      (await fixture.service.call(Refresh, { ...again, repeated: true })).body as SignedIn,
    ];
    expect(second.refreshToken).toBe(first.refreshToken);
    await expect(fixture.callerOf(second)).resolves.toBeDefined();
    await expect(fixture.refresh(second.refreshToken)).resolves.toBeDefined();
    await expect(fixture.service.call(Refresh, again)).rejects.toEqual(refusal('UNAUTHORIZED'));
  });

  it('answers two tabs that ask at the same moment with the same token', async () => {
    const first = await fixture.register();
    const tabs = await Promise.all([
      fixture.refresh(first.refreshToken),
      fixture.refresh(first.refreshToken),
      fixture.refresh(first.refreshToken),
    ]);
    expect(new Set(tabs.map((tab) => tab.refreshToken)).size).toBe(1);
    await expect(fixture.refresh(tabs[0].refreshToken)).resolves.toMatchObject({ expiresIn: 604_800 });
  });

  it('takes neither an access token nor a token of another key', async () => {
    const { accessToken, refreshToken } = await fixture.register();
    await expect(fixture.refresh(accessToken)).rejects.toEqual(refusal('UNAUTHORIZED'));
    const forged = jwt.sign(claimsOf(refreshToken), settings.jwtSecret);
    await expect(fixture.refresh(forged)).rejects.toEqual(refusal('UNAUTHORIZED'));
    const unsigned = jwt.sign(claimsOf(refreshToken), '', { algorithm: 'none' });
    await expect(fixture.refresh(unsigned)).rejects.toEqual(refusal('UNAUTHORIZED'));
  });
});

describe('ending sessions', () => {
  it('logs out at once, also after a restart with an empty cache', async () => {
    const signedIn = await fixture.register();
    const reply = await fixture.service.call(Logout, { caller: await fixture.callerOf(signedIn) });
    expect([reply.status, reply.body]).toEqual([204, undefined]);
    await expect(fixture.callerOf(signedIn)).rejects.toThrow('The session is over.');
    await expect(fixture.refresh(signedIn.refreshToken)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await fixture.service.restart();
    await expect(fixture.callerOf(signedIn)).rejects.toThrow('The session is over.');
  });

  it('revokes one of the own sessions, and nobody else’s', async () => {
    const email = newAddress();
    const first = await fixture.register(email);
    const caller = await fixture.callerOf(await fixture.logIn(email));
    const stranger = await fixture.newCaller();
    const revoke = (by: Caller) =>
      fixture.service.call(RevokeSession, { caller: by, params: { id: claimsOf(first.accessToken).sid } });
    await expect(revoke(stranger)).rejects.toEqual(refusal('NOT_FOUND'));
    await expect(fixture.callerOf(first)).resolves.toMatchObject({ userId: first.user.id });
    await revoke(caller);
    await expect(fixture.callerOf(first)).rejects.toThrow('The session is over.');
    await expect(revoke(caller)).rejects.toEqual(refusal('NOT_FOUND'));
  });

  it('revokes all others', async () => {
    const email = newAddress();
    const others = [await fixture.register(email), await fixture.logIn(email)];
    const present = await fixture.logIn(email);
    const reply = await fixture.service.call(RevokeOtherSessions, { caller: await fixture.callerOf(present) });
    expect(reply.body).toEqual({ revokedCount: 2 });
    for (const other of others) await expect(fixture.callerOf(other)).rejects.toThrow('The session is over.');
    await expect(fixture.callerOf(present)).resolves.toBeDefined();
  });

  it('revokes all others when the password changes', async () => {
    const email = newAddress();
    const other = await fixture.register(email);
    const present = await fixture.logIn(email);
    const change = (currentPassword: string) =>
      fixture.callerOf(present).then((caller) =>
        fixture.service.call(ChangePassword, {
          caller,
          body: { currentPassword, newPassword: 'another horse battery' },
        }),
      );
    await expect(change('not the password')).rejects.toEqual(refusal('FORBIDDEN'));
    expect((await change(password)).body).toEqual({ revokedCount: 1 });
    await expect(fixture.callerOf(other)).rejects.toThrow('The session is over.');
    await expect(fixture.logIn(email)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(fixture.logIn(email, 'another horse battery')).resolves.toBeDefined();
  });

  it('answers a change of the password that comes again, as its answer was lost', async () => {
    const email = newAddress();
    const caller = await fixture.callerOf(await fixture.register(email));
    const body = { currentPassword: password, newPassword: 'another horse battery' };
    const change = (more: object) => fixture.service.call(ChangePassword, { caller, body, ...more });
    await change({ resourceId: v7() });
    await expect(change({ resourceId: v7() })).rejects.toEqual(refusal('FORBIDDEN'));
    expect((await change({ resourceId: v7(), repeated: true })).body).toEqual({ revokedCount: 0 });
    const wrong = { ...body, newPassword: 'not the new password' };
    await expect(change({ body: wrong, repeated: true })).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(fixture.logIn(email, body.newPassword)).resolves.toBeDefined();
  });

  it('leaves sessions, users and keys as they are when their views are made anew', async () => {
    const email = newAddress();
    const ended = await fixture.register(email);
    await fixture.service.call(Logout, { caller: await fixture.callerOf(ended) });
    const present = await fixture.logIn(email);
    expect(await fixture.service.rebuildViews()).toEqual([
      'users',
      'users_removed',
      'user_sessions',
      'api_keys',
      'two_factors',
      'organizations',
      'time zones of organizations',
      'members',
      'members_removed',
      'roles',
      'roles_deleted',
      'workspaces',
      'workspaces_deleted',
      'user_erasures',
    ]);
    await expect(fixture.callerOf(ended)).rejects.toThrow('The session is over.');
    await expect(fixture.callerOf(present)).resolves.toBeDefined();
    await expect(fixture.logIn(email)).resolves.toMatchObject({ user: { email } });
  });

  it('are forgotten a month after they were over', async () => {
    const email = newAddress();
    const { accessToken } = await fixture.register(email);
    await fixture.service.call(Logout, { caller: await fixture.callerOf({ accessToken }) });
    const { sid } = claimsOf(accessToken);
    const stored = () => fixture.service.sql.query('SELECT id FROM identity.user_sessions WHERE id = $1', [sid]);
    expect(await stored()).toHaveLength(1);
    fixture.service.clock.advance(32 * 86_400_000);
    await eventually(async () => {
      fixture.service.clock.advance(3_600_000);
      return (await stored()).length === 0 ? true : undefined;
    });
    await expect(fixture.logIn(email)).resolves.toMatchObject({ user: { email } });
  });
});
