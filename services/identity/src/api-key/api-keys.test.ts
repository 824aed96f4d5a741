import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreateApiKey, DeleteApiKey, GetMe, ListApiKeys, type Caller, type Page } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { IdentityFixture, unknownProfiles } from '../identity.fixture.ts';
import { systemRoleEntries } from '../organization/system-roles.ts';

const viewerRoleId = systemRoleEntries.find(({ name }) => name === 'Viewer')?.roleId;

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await IdentityFixture.start();
});
afterAll(() => fixture.service.stop());

const refusal = (code: string) => expect.objectContaining({ code });

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
    (await fixture.service.call(CreateApiKey, { caller, body: { name: 'Shop', ...body }, ...more })).body as Key;
  const list = async (caller: Caller, query: Record<string, unknown> = {}) =>
    (await fixture.service.call(ListApiKeys, { caller, query })).body as Page<Key>;

  it('are shown once, stored as a hash and act for their maker', async () => {
    const caller = await fixture.newCaller();
    const key = await create(caller);
    expect(key.key).toMatch(/^gw_[\w-]{43}$/);
    expect(key.key.startsWith(key.prefix)).toBe(true);
    const before = await list(caller);
    expect(before).toMatchObject({ total: 1, nextCursor: null, items: [{ id: key.id, lastUsedAt: null }] });
    expect(JSON.stringify(before)).not.toContain(key.key);
    const asKey = await fixture.callerOfKey(key.key);
    expect(asKey).toMatchObject({ userId: caller.userId, organizationId: caller.organizationId, apiKeyId: key.id });
    expect(asKey?.permissions).toEqual(caller.permissions);
    expect((await list(caller)).items[0]?.lastUsedAt).toEqual(expect.any(String));
    expect((await fixture.service.call(GetMe, { caller: asKey as Caller })).body).toMatchObject({ id: caller.userId });
    const stored = await fixture.service.sql.query('SELECT data FROM identity.events');
    expect(JSON.stringify(stored)).not.toContain(key.key);
  });

  it('have the scope that they were made with', async () => {
    const caller = await fixture.newCaller();
    const profileIds = [v7()];
    const key = await create(caller, { permissions: ['message:send'], profileIds, allowedCidrs: ['192.0.2.0/24'] });
    await expect(fixture.callerOfKey(key.key)).resolves.toMatchObject({
      permissions: ['message:send'],
      profileIds,
      allowedCidrs: ['192.0.2.0/24'],
    });
  });

  it('are not limited to profiles that the organization does not have', async () => {
    const caller = await fixture.newCaller();
    const [own, unknown] = [v7(), v7()];
    unknownProfiles.add(unknown);
    await expect(create(caller, { profileIds: [own, unknown] })).rejects.toEqual(refusal('NOT_FOUND'));
    expect((await list(caller)).total).toBe(0);
  });

  it('never exceed their maker', async () => {
    const owner = await fixture.newCaller();
    const weak = { ...owner, permissions: ['apikey:create', 'message:read'] };
    await expect(create(weak, { permissions: ['message:send'] })).rejects.toEqual(refusal('FORBIDDEN'));
  });

  it('lose what the role of their maker loses', async () => {
    const caller = await fixture.newCaller();
    const { key } = await create(caller, { permissions: ['webhook:manage', 'message:read'] });
    await fixture.service.sql.query('UPDATE identity.members SET role_id = $2 WHERE user_id = $1', [
      caller.userId,
      viewerRoleId,
    ]);
    await expect(fixture.callerOfKey(key)).resolves.toMatchObject({ permissions: ['message:read'] });
  });

  it('expire', async () => {
    const caller = await fixture.newCaller();
    const key = await create(caller, { expiresInDays: 0.5 });
    expect(key.expiresAt).toEqual(expect.any(String));
    await expect(fixture.callerOfKey(key.key)).resolves.not.toBeNull();
    fixture.service.clock.advance(43_300_000);
    await expect(fixture.callerOfKey(key.key)).resolves.toBeNull();
    expect((await list(caller)).items).toEqual([expect.objectContaining({ id: key.id, expiresAt: key.expiresAt })]);
  });

  it('are revoked at once, together with those made with them', async () => {
    const caller = await fixture.newCaller();
    const key = await create(caller, { permissions: ['apikey:create', 'message:read'] });
    const child = await create((await fixture.callerOfKey(key.key)) as Caller);
    expect(child.permissions).toEqual(['apikey:create', 'message:read']);
    const stranger = await fixture.newCaller();
    const revoke = (by: Caller) => fixture.service.call(DeleteApiKey, { caller: by, params: { id: key.id } });
    await expect(revoke(stranger)).rejects.toEqual(refusal('NOT_FOUND'));
    expect((await revoke(caller)).status).toBe(204);
    await expect(fixture.callerOfKey(key.key)).resolves.toBeNull();
    await expect(fixture.callerOfKey(child.key)).resolves.toBeNull();
    expect((await list(caller)).items).toEqual([]);
    await expect(revoke(caller)).rejects.toEqual(refusal('NOT_FOUND'));
  });

  it('do not outlive a key further up when a crash cuts its revocation off, and asking again goes on', async () => {
    const caller = await fixture.newCaller();
    const key = await create(caller);
    const child = await create((await fixture.callerOfKey(key.key)) as Caller);
    const grandchild = await create((await fixture.callerOfKey(child.key)) as Caller);
    await fixture.service.sql.query('UPDATE identity.api_keys SET revoked_at = now() WHERE id = $1', [key.id]);
    for (const one of [child, grandchild]) await expect(fixture.callerOfKey(one.key)).resolves.toBeNull();
    const revoke = () => fixture.service.call(DeleteApiKey, { caller, params: { id: key.id } });
    expect((await revoke()).status).toBe(204);
    expect((await list(caller)).items).toEqual([]);
    await expect(revoke()).rejects.toEqual(refusal('NOT_FOUND'));
  });

  it('of those who may more are revoked by them alone, and none beyond the profiles of a key with it', async () => {
    const owner = await fixture.newCaller();
    const { caller: admin } = await fixture.memberOf(owner, 'Admin');
    const [strong, weak] = [await create(owner), await create(owner, { permissions: ['message:send'] })];
    const revoke = (by: Caller, { id }: Key) => fixture.service.call(DeleteApiKey, { caller: by, params: { id } });
    await expect(revoke(admin, strong)).rejects.toEqual(refusal('FORBIDDEN'));
    const limited = (await fixture.callerOfKey((await create(owner, { profileIds: [v7()] })).key)) as Caller;
    await expect(revoke(limited, weak)).rejects.toEqual(refusal('FORBIDDEN'));
    const permitted = (await fixture.callerOfKey(
      (await create(owner, { permissions: ['apikey:delete'] })).key,
    )) as Caller;
    await expect(revoke(permitted, strong)).rejects.toEqual(refusal('FORBIDDEN'));
    expect((await revoke(admin, weak)).status).toBe(204);
    expect((await revoke(owner, strong)).status).toBe(204);
  });

  it('that are being made with a key while it is revoked do not outlive it', async () => {
    const caller = await fixture.newCaller();
    const outliving: unknown[] = [];
    for (let round = 0; round < 10; round += 1) {
      const parent = await create(caller);
      const asKey = await fixture.callerOfKey(parent.key);
      if (asKey === null) throw new Error('The key does not hold.');
      const [made] = await Promise.allSettled([
        create(asKey),
        fixture.service.call(DeleteApiKey, { caller, params: { id: parent.id } }),
      ]);
      if (made.status === 'fulfilled') outliving.push(await fixture.callerOfKey(made.value.key));
    }
    expect(outliving.filter((child) => child !== null)).toEqual([]);
  });

  it('are replaced when the same request comes again, for nobody has seen the first', async () => {
    const caller = await fixture.newCaller();
    const resourceId = v7();
    const first = await create(caller, {}, { resourceId });
    const second = await create(caller, {}, { resourceId });
    await expect(fixture.callerOfKey(first.key)).resolves.toBeNull();
    await expect(fixture.callerOfKey(second.key)).resolves.toMatchObject({ apiKeyId: resourceId });
  });

  it('are listed page by page, newest first, to their organization only', async () => {
    const caller = await fixture.newCaller();
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) ids.unshift((await create(caller, { name })).id);
    const first = await list(caller, { limit: 2 });
    const second = await list(caller, { limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect([first.total, second.nextCursor]).toEqual([3, null]);
    expect((await list(await fixture.newCaller())).items).toEqual([]);
  });
});
