import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ChangePassword,
  CreateApiKey,
  DeleteApiKey,
  EnsureDefaultAccount,
  GetMe,
  ListApiKeys,
  ListSessions,
  Login,
  Logout,
  OrganizationCreated,
  Refresh,
  Register,
  ResolveCredential,
  RevokeOtherSessions,
  RevokeSession,
  permissions,
  type Caller,
} from '@messaging-gateway/contracts';
import { schemaMatches, testService, type TestService } from '@messaging-gateway/service/testing';
import jwt from 'jsonwebtoken';
import { v7 } from 'uuid';
import { identity, type IdentitySettings } from './index.ts';

const settings: IdentitySettings = {
  jwtSecret: 'an access secret of 32 characters',
  jwtRefreshSecret: 'a refresh secret of 32 characters',
  jwtExpiresIn: 604_800_000,
  jwtRefreshExpiresIn: 2_592_000_000,
  registration: 'open',
};
const password = 'correct horse battery';

interface SignedIn {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  user: { id: string; organizationId: string; role: string; permissions: string[] };
}
interface Claims {
  sub: string;
  sid: string;
  org: string;
  typ: string;
}

let service: TestService;
const askedAccounts: string[] = [];
let number = 0;
const newAddress = (): string => `person-${(number += 1)}@example.com`;

beforeAll(async () => {
  service = await testService(identity, {
    settings,
    others: (fake) =>
      fake(EnsureDefaultAccount, ({ organizationId }) => {
        askedAccounts.push(organizationId);
        return { accountId: v7() };
      }),
  });
});
afterAll(() => service.stop());

const register = async (email = newAddress(), more: object = {}): Promise<SignedIn> =>
  (await service.call(Register, { body: { email, password, name: 'Ada' }, ...more })).body as SignedIn;
const logIn = async (email: string, given = password): Promise<SignedIn> =>
  (await service.call(Login, { body: { email, password: given } })).body as SignedIn;
const refresh = async (refreshToken: string): Promise<SignedIn> =>
  (await service.call(Refresh, { body: { refreshToken } })).body as SignedIn;
const claimsOf = (token: string): Claims => jwt.decode(token) as unknown as Claims;

/** What the gateway makes of an access token. */
async function callerOf({ accessToken }: { accessToken: string }): Promise<Caller> {
  const {
    sub: userId,
    sid: sessionId,
    org: organizationId,
  } = jwt.verify(accessToken, settings.jwtSecret) as unknown as Claims;
  const { credential } = await service.ask(ResolveCredential, { kind: 'session', sessionId, userId, organizationId });
  if (credential === null) throw new Error('The session is over.');
  return credential as Caller;
}

async function keyCaller(key: string): Promise<Caller | null> {
  const hash = createHash('sha256').update(key).digest('hex');
  return (await service.ask(ResolveCredential, { kind: 'api-key', hash })).credential;
}

const refusal = (code: string) => expect.objectContaining({ code });

describe('registration', () => {
  it('makes an owner with an organization and a default account, signed in', async () => {
    const reply = await service.call(Register, {
      body: { email: newAddress(), password, name: 'Ada', organizationName: 'Engines' },
    });
    const { user, accessToken, refreshToken, expiresIn } = reply.body as SignedIn;
    expect(reply.status).toBe(201);
    expect(user).toMatchObject({ role: 'Owner', name: 'Ada', twoFactorEnabled: false, permissions: [...permissions] });
    expect(expiresIn).toBe(604_800);
    expect(jwt.verify(accessToken, settings.jwtSecret, { algorithms: ['HS256'] })).toMatchObject({
      sub: user.id,
      org: user.organizationId,
      typ: 'access',
      sid: expect.any(String),
    });
    expect(jwt.verify(refreshToken, settings.jwtRefreshSecret, { algorithms: ['HS256'] })).toMatchObject({
      sub: user.id,
      typ: 'refresh',
    });
    expect(askedAccounts).toContain(user.organizationId);
    const told = await service.published(OrganizationCreated);
    expect(told.filter((event) => event.organizationId === user.organizationId)).toEqual([
      expect.objectContaining({
        data: { organizationId: user.organizationId, workspaceId: expect.any(String), ownerId: user.id },
      }),
    ]);
  });

  it('gives an address to one of two who ask at the same moment, whatever its case', async () => {
    const email = newAddress();
    const outcomes = await Promise.allSettled([register(email), register(email.toUpperCase()), register(email)]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(failed?.reason).toMatchObject({ code: 'CONFLICT' });
    await expect(logIn(email)).resolves.toMatchObject({ user: { role: 'Owner' } });
  });

  it('goes on with the same user when the same request comes again', async () => {
    const email = newAddress();
    const resourceId = v7();
    const first = await register(email, { resourceId });
    const second = await register(email, { resourceId });
    expect(second.user).toEqual(first.user);
    expect(second.user.id).toBe(resourceId);
  });

  it('tells a repeat from somebody who does not know the password', async () => {
    const email = newAddress();
    const resourceId = v7();
    await register(email, { resourceId });
    const guess = service.call(Register, { body: { email, password: 'a wrong password', name: 'Eve' }, resourceId });
    await expect(guess).rejects.toEqual(refusal('CONFLICT'));
  });

  it('keeps addresses and names out of the journal in the clear', async () => {
    const email = `secret-${newAddress()}`;
    await register(email);
    const rows = await service.sql.query<{ data: unknown; stream: string }>('SELECT stream, data FROM identity.events');
    expect(JSON.stringify(rows)).not.toContain(email);
  });
});

describe('logging in', () => {
  it('answers a wrong password and an unknown address alike', async () => {
    const email = newAddress();
    await register(email);
    const wrong = await logIn(email, 'a wrong password').catch((error: unknown) => error);
    const unknown = await logIn('nobody@example.com').catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(unknown).toMatchObject({ code: 'UNAUTHORIZED', message: (wrong as Error).message });
  });

  it('starts a session of its own each time', async () => {
    const email = newAddress();
    const first = await register(email);
    const second = await logIn(email);
    expect(claimsOf(second.accessToken).sid).not.toBe(claimsOf(first.accessToken).sid);
    const sessions = (await service.call(ListSessions, { caller: await callerOf(second) })).body as {
      id: string;
      current: boolean;
    }[];
    expect(sessions.map(({ id, current }) => [id, current])).toEqual([
      [claimsOf(second.accessToken).sid, true],
      [claimsOf(first.accessToken).sid, false],
    ]);
  });
});

describe('refreshing', () => {
  it('answers a new pair for the same session', async () => {
    const first = await register();
    const second = await refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(claimsOf(second.accessToken).sid).toBe(claimsOf(first.accessToken).sid);
    await expect(callerOf(second)).resolves.toMatchObject({ userId: first.user.id });
  });

  it('revokes the session when a used token comes again', async () => {
    const first = await register();
    const second = await refresh(first.refreshToken);
    await expect(refresh(first.refreshToken)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(refresh(second.refreshToken)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(callerOf(second)).rejects.toThrow('The session is over.');
  });

  it('answers two tabs that ask at the same moment with the same token', async () => {
    const first = await register();
    const tabs = await Promise.all([
      refresh(first.refreshToken),
      refresh(first.refreshToken),
      refresh(first.refreshToken),
    ]);
    expect(new Set(tabs.map((tab) => tab.refreshToken)).size).toBe(1);
    await expect(refresh(tabs[0].refreshToken)).resolves.toMatchObject({ expiresIn: 604_800 });
  });

  it('takes neither an access token nor a token of another key', async () => {
    const { accessToken, refreshToken } = await register();
    await expect(refresh(accessToken)).rejects.toEqual(refusal('UNAUTHORIZED'));
    const forged = jwt.sign(claimsOf(refreshToken), settings.jwtSecret);
    await expect(refresh(forged)).rejects.toEqual(refusal('UNAUTHORIZED'));
    const unsigned = jwt.sign(claimsOf(refreshToken), '', { algorithm: 'none' });
    await expect(refresh(unsigned)).rejects.toEqual(refusal('UNAUTHORIZED'));
  });
});

describe('ending sessions', () => {
  it('logs out at once, also after a restart with an empty cache', async () => {
    const signedIn = await register();
    const reply = await service.call(Logout, { caller: await callerOf(signedIn) });
    expect([reply.status, reply.body]).toEqual([204, undefined]);
    await expect(callerOf(signedIn)).rejects.toThrow('The session is over.');
    await expect(refresh(signedIn.refreshToken)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await service.restart();
    await expect(callerOf(signedIn)).rejects.toThrow('The session is over.');
  });

  it('revokes one of the own sessions, and nobody else’s', async () => {
    const email = newAddress();
    const first = await register(email);
    const caller = await callerOf(await logIn(email));
    const stranger = await callerOf(await register());
    const revoke = (by: Caller) =>
      service.call(RevokeSession, { caller: by, params: { id: claimsOf(first.accessToken).sid } });
    await expect(revoke(stranger)).rejects.toEqual(refusal('NOT_FOUND'));
    await expect(callerOf(first)).resolves.toMatchObject({ userId: first.user.id });
    await revoke(caller);
    await expect(callerOf(first)).rejects.toThrow('The session is over.');
    await expect(revoke(caller)).rejects.toEqual(refusal('NOT_FOUND'));
  });

  it('revokes all others', async () => {
    const email = newAddress();
    const others = [await register(email), await logIn(email)];
    const present = await logIn(email);
    const reply = await service.call(RevokeOtherSessions, { caller: await callerOf(present) });
    expect(reply.body).toEqual({ revokedCount: 2 });
    for (const other of others) await expect(callerOf(other)).rejects.toThrow('The session is over.');
    await expect(callerOf(present)).resolves.toBeDefined();
  });

  it('revokes all others when the password changes', async () => {
    const email = newAddress();
    const other = await register(email);
    const present = await logIn(email);
    const change = (currentPassword: string) =>
      callerOf(present).then((caller) =>
        service.call(ChangePassword, { caller, body: { currentPassword, newPassword: 'another horse battery' } }),
      );
    await expect(change('not the password')).rejects.toEqual(refusal('FORBIDDEN'));
    expect((await change(password)).body).toEqual({ revokedCount: 1 });
    await expect(callerOf(other)).rejects.toThrow('The session is over.');
    await expect(logIn(email)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(logIn(email, 'another horse battery')).resolves.toBeDefined();
  });
});

describe('API keys', () => {
  interface Key {
    id: string;
    key: string;
    prefix: string;
    permissions: string[] | null;
    expiresAt: string | null;
    lastUsedAt: string | null;
  }
  const create = async (caller: Caller, body: object = {}, more: object = {}): Promise<Key> =>
    (await service.call(CreateApiKey, { caller, body: { name: 'Shop', ...body }, ...more })).body as Key;
  const list = async (caller: Caller, query: Record<string, unknown> = {}) =>
    (await service.call(ListApiKeys, { caller, query })).body as {
      items: Key[];
      nextCursor: string | null;
      total: number;
    };

  it('are shown once, stored as a hash and act for their maker', async () => {
    const caller = await callerOf(await register());
    const key = await create(caller);
    expect(key.key).toMatch(/^gw_[\w-]{43}$/);
    expect(key.key.startsWith(key.prefix)).toBe(true);
    const before = await list(caller);
    expect(before).toMatchObject({ total: 1, nextCursor: null, items: [{ id: key.id, lastUsedAt: null }] });
    expect(JSON.stringify(before)).not.toContain(key.key);
    const asKey = await keyCaller(key.key);
    expect(asKey).toMatchObject({ userId: caller.userId, organizationId: caller.organizationId, apiKeyId: key.id });
    expect(asKey?.permissions).toEqual(caller.permissions);
    expect((await list(caller)).items[0]?.lastUsedAt).toEqual(expect.any(String));
    expect((await service.call(GetMe, { caller: asKey as Caller })).body).toMatchObject({ id: caller.userId });
    const stored = await service.sql.query('SELECT data FROM identity.events');
    expect(JSON.stringify(stored)).not.toContain(key.key);
  });

  it('have the scope that they were made with', async () => {
    const caller = await callerOf(await register());
    const profileIds = [v7()];
    const key = await create(caller, { permissions: ['message:send'], profileIds, allowedCidrs: ['192.0.2.0/24'] });
    await expect(keyCaller(key.key)).resolves.toMatchObject({
      permissions: ['message:send'],
      profileIds,
      allowedCidrs: ['192.0.2.0/24'],
    });
  });

  it('never exceed their maker', async () => {
    const owner = await callerOf(await register());
    const weak = { ...owner, permissions: ['apikey:create', 'message:read'] };
    await expect(create(weak, { permissions: ['message:send'] })).rejects.toEqual(refusal('FORBIDDEN'));
  });

  it('lose what the role of their maker loses', async () => {
    const caller = await callerOf(await register());
    const { key } = await create(caller, { permissions: ['webhook:manage', 'message:read'] });
    await service.sql.query('UPDATE identity.users SET role = $2 WHERE id = $1', [caller.userId, 'Viewer']);
    await expect(keyCaller(key)).resolves.toMatchObject({ permissions: ['message:read'] });
  });

  it('expire', async () => {
    const caller = await callerOf(await register());
    const key = await create(caller, { expiresInDays: 0.5 });
    expect(key.expiresAt).toEqual(expect.any(String));
    await expect(keyCaller(key.key)).resolves.not.toBeNull();
    service.clock.advance(43_300_000);
    await expect(keyCaller(key.key)).resolves.toBeNull();
    expect((await list(caller)).items).toEqual([expect.objectContaining({ id: key.id, expiresAt: key.expiresAt })]);
  });

  it('are revoked at once, together with those made with them', async () => {
    const caller = await callerOf(await register());
    const key = await create(caller, { permissions: ['apikey:create', 'message:read'] });
    const child = await create((await keyCaller(key.key)) as Caller);
    expect(child.permissions).toEqual(['apikey:create', 'message:read']);
    const stranger = await callerOf(await register());
    const revoke = (by: Caller) => service.call(DeleteApiKey, { caller: by, params: { id: key.id } });
    await expect(revoke(stranger)).rejects.toEqual(refusal('NOT_FOUND'));
    expect((await revoke(caller)).status).toBe(204);
    await expect(keyCaller(key.key)).resolves.toBeNull();
    await expect(keyCaller(child.key)).resolves.toBeNull();
    expect((await list(caller)).items).toEqual([]);
    await expect(revoke(caller)).rejects.toEqual(refusal('NOT_FOUND'));
  });

  it('are replaced when the same request comes again, for nobody has seen the first', async () => {
    const caller = await callerOf(await register());
    const resourceId = v7();
    const first = await create(caller, {}, { resourceId });
    const second = await create(caller, {}, { resourceId });
    await expect(keyCaller(first.key)).resolves.toBeNull();
    await expect(keyCaller(second.key)).resolves.toMatchObject({ apiKeyId: resourceId });
  });

  it('are listed page by page, newest first, to their organization only', async () => {
    const caller = await callerOf(await register());
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) ids.unshift((await create(caller, { name })).id);
    const first = await list(caller, { limit: 2 });
    const second = await list(caller, { limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect([first.total, second.nextCursor]).toEqual([3, null]);
    expect((await list(await callerOf(await register()))).items).toEqual([]);
  });
});

describe('the schema', () => {
  it('is the same in migrations and entities', async () => expect(await schemaMatches(identity)).toBe(''));
});

describe('a closed installation', () => {
  it('takes the first user and nobody else', async () => {
    const closed = await testService(identity, { settings: { ...settings, registration: 'closed' } });
    try {
      const attempt = () => closed.call(Register, { body: { email: newAddress(), password, name: 'Ada' } });
      const outcomes = await Promise.allSettled([attempt(), attempt(), attempt()]);
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
      await expect(attempt()).rejects.toEqual(refusal('FORBIDDEN'));
    } finally {
      await closed.stop();
    }
  });
});
