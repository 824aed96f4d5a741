import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ConnectProfile,
  CreateAccount,
  CreateAccountProfile,
  CreateProfile,
  DeleteAccount,
  DeleteProfile,
  DescribeProfile,
  GetAccount,
  GetProfile,
  ListAccounts,
  ListProfiles,
  ProfileCreated,
  UpdateAccount,
  UpdateProfile,
  type Caller,
} from '@messaging-gateway/contracts';
import type { TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

describe('accounts and profiles', () => {
  let test: SessionsTest;
  let service: TestService;
  let create: SessionsTest['create'];
  let caller: Caller;
  let other: Caller;
  beforeAll(async () => {
    test = await sessionsTest();
    ({ service, create } = test);
    [caller, other] = [await test.organization(), await test.organization()];
  });
  afterAll(() => test.stop());

  it('keeps accounts, and only one organization sees its own', async () => {
    const [first] = ((await service.call(ListAccounts, { caller })).body as { items: { id: string; name: string }[] })
      .items;
    expect(first).toMatchObject({ name: 'Default' });
    const { body } = await service.call(CreateAccount, { caller, body: { name: 'Support', description: 'x' } });
    const account = body as { id: string; workspaceId: string };
    await service.call(UpdateAccount, {
      caller,
      params: { id: account.id },
      body: { name: 'Help', description: null },
    });
    expect((await service.call(GetAccount, { caller, params: { id: account.id } })).body).toMatchObject({
      name: 'Help',
      description: null,
    });
    expect((await service.call(ListAccounts, { caller, query: { search: 'hel' } })).body).toMatchObject({
      total: 1,
      nextCursor: null,
    });
    await expect(service.call(GetAccount, { caller: other, params: { id: account.id } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await service.call(CreateAccountProfile, { caller, params: { accountId: account.id }, body: { name: 'One' } });
    await expect(service.call(DeleteAccount, { caller, params: { id: account.id } })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const { items } = (await service.call(ListProfiles, { caller, query: { accountId: account.id } })).body as {
      items: { id: string }[];
    };
    await service.call(DeleteProfile, { caller, params: { id: items[0]?.id ?? '' } });
    expect(await service.call(DeleteAccount, { caller, params: { id: account.id } })).toMatchObject({ status: 204 });
    await expect(service.call(DeleteAccount, { caller, params: { id: account.id } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('creates profiles with their send gate, once for a repeated request', async () => {
    const resourceId = v7();
    const body = { name: 'Gate', messageDelayMs: 100, dailyMessageLimit: 5 };
    const first = await service.call(CreateProfile, { caller, resourceId, body });
    const again = await service.call(CreateProfile, { caller, resourceId, repeated: true, body });
    expect(first).toMatchObject({
      status: 201,
      body: {
        id: resourceId,
        name: 'Gate',
        status: 'disconnected',
        engine: 'socket-engine',
        messageDelayMs: 100,
        dailyMessageLimit: 5,
        phoneNumber: null,
      },
    });
    expect(again.body).toEqual(first.body);
    const changed = await service.call(UpdateProfile, {
      caller,
      params: { id: resourceId },
      body: { name: 'Other', dailyMessageLimit: null },
    });
    expect(changed.body).toMatchObject({ name: 'Other', messageDelayMs: 100, dailyMessageLimit: null });
    expect((await service.published(ProfileCreated)).filter(({ data }) => data.profileId === resourceId)).toHaveLength(
      1,
    );
  });

  it('keeps for how long a chat is left to a human who writes on the phone', async () => {
    const resourceId = v7();
    const params = { id: resourceId };
    const make = { caller, resourceId, body: { name: 'Human', handoverMinutes: 5 } };
    expect((await service.call(CreateProfile, make)).body).toMatchObject({ handoverMinutes: 5 });
    const { id } = await create(caller, 'Plain');
    expect((await service.call(GetProfile, { caller, params: { id } })).body).toMatchObject({ handoverMinutes: 60 });
    const update = async (body: object) => (await service.call(UpdateProfile, { caller, params, body })).body;
    expect(await update({ name: 'Machine' })).toMatchObject({ name: 'Machine', handoverMinutes: 5 });
    expect(await update({ handoverMinutes: 0 })).toMatchObject({ handoverMinutes: 0 });
    expect((await service.call(CreateProfile, { ...make, repeated: true })).body).toMatchObject({ handoverMinutes: 0 });
    const { organizationId } = caller;
    const asked = () => service.ask(DescribeProfile, { organizationId, profileId: resourceId });
    expect(await asked()).toMatchObject({ handoverMinutes: 0 });
    for (const handoverMinutes of [-1, 10_081, 1.5, '60', null])
      await expect(update({ handoverMinutes })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [expect.objectContaining({ path: 'body.handoverMinutes' })],
      });
    await service.rebuildViews();
    expect(await asked()).toMatchObject({ handoverMinutes: 0 });
    expect(await update({ handoverMinutes: 60 })).toMatchObject({ handoverMinutes: 60 });
    await service.call(DeleteProfile, { caller, params });
    const left = 'SELECT profile_id FROM handover_minutes WHERE profile_id = $1';
    expect(await service.sql.query(left, [resourceId])).toEqual([]);
  });

  it('makes nothing while the send gate is away', async () => {
    test.outbound.away = true;
    await expect(create(caller)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    test.outbound.away = false;
    expect((await service.call(ListProfiles, { caller, query: { search: 'Sales' } })).body).toMatchObject({ total: 0 });
  });

  it('hides profiles from other organizations and from keys limited to others', async () => {
    const { id } = await create(caller);
    const mine = await create(caller);
    await expect(service.call(GetProfile, { caller: other, params: { id } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(service.call(ConnectProfile, { caller: other, params: { id } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const key = { ...caller, apiKeyId: v7(), profileIds: [mine.id] };
    await expect(service.call(GetProfile, { caller: key, params: { id } })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(create(key)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await service.call(ListProfiles, { caller: key })).body).toMatchObject({
      total: 1,
      items: [{ id: mine.id }],
    });
  });

  it('pages through profiles', async () => {
    const pager = await test.organization();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await create(pager, `P${n}`)).id);
    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = (
        await service.call(ListProfiles, {
          caller: pager,
          query: { limit: 2, ...(cursor !== undefined && { cursor }) },
        })
      ).body as { items: { id: string }[]; nextCursor: string | null; total: number };
      expect(page.total).toBe(5);
      seen.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  it('refuses an engine that this installation cannot run', async () => {
    await expect(
      service.call(CreateProfile, { caller, body: { name: 'Web', engine: 'web-js-engine' } }),
    ).rejects.toMatchObject({ code: 'ENGINE_UNSUPPORTED' });
  });
});
