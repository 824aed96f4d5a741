import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApplySendingPolicy, ConnectAccountProfile, ConnectionDisconnected, ConnectionQr, ConnectionReady, ConnectProfile, CreateAccount, CreateAccountProfile,
  CreateProfile, DeleteAccount, DeleteProfile, DeliverMessage, DisconnectProfile, GetAccount, GetProfile, GetProfileStatus, GetQr, ListAccounts,
  ListProfiles, OrganizationCreated, ProfileCreated, ProfileDeleted, ReadSendingStates, SessionMessage, SessionReceipt, SettleMessage, UpdateAccount,
  UpdateProfile, type Caller,
} from '@messaging-gateway/contracts';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import { schemaMatches, testCaller, testService, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { sessions } from './index.ts';
import { newNetworkId, sessionsFolder, until } from './testing/engine-harness.ts';
import { fakeOutbound, testSettings } from './testing/fakes.ts';

describe('sessions', () => {
  let simulator: Simulator;
  let service: TestService;
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  const outbound = fakeOutbound();
  const caller = testCaller();
  const other = testCaller();

  beforeAll(async () => {
    simulator = await startSimulator();
    folder = await sessionsFolder();
    service = await testService(sessions, {
      settings: testSettings(simulator, folder.directory),
      others: async (fake) => {
        await fake(ApplySendingPolicy, outbound.apply);
        await fake(ReadSendingStates, outbound.read);
      },
    });
    for (const { organizationId, userId } of [caller, other]) await service.emit(OrganizationCreated, { organizationId, workspaceId: v7(), ownerId: userId }, { organizationId });
  });
  afterAll(async () => {
    await service.stop();
    await simulator.stop();
    await folder.remove();
  });

  const created = async (by: Caller = caller, name = 'Sales'): Promise<{ id: string; accountId: string }> =>
    (await service.call(CreateProfile, { caller: by, body: { name } })).body as { id: string; accountId: string };
  const statusOf = async (id: string): Promise<{ status: string; statusReason: string | null }> =>
    (await service.call(GetProfileStatus, { caller, params: { id } })).body as never;
  const reaches = (id: string, status: string) => until(async () => (await statusOf(id)).status === status);
  const linked = async (phone: string): Promise<{ id: string; accountId: string }> => {
    const profile = await created();
    await service.call(ConnectProfile, { caller, params: { id: profile.id } });
    const params = { accountId: profile.accountId, profileId: profile.id };
    const code = await until(() => service.call(GetQr, { caller, params }).catch(() => undefined));
    await simulator.scan(phone, (code.body as { qr: string }).qr);
    await reaches(profile.id, 'connected');
    return profile;
  };
  const deliver = (profileId: string, to: string, text: string, networkMessageId = newNetworkId()) =>
    service.ask(
      DeliverMessage,
      { organizationId: caller.organizationId, profileId, messageId: v7(), networkMessageId, laneEpoch: 1, to: `${to}@c.us`, content: { type: 'text', content: { text } } },
      { route: profileId },
    );

  it('has migrations that agree with its entities', async () => {
    expect(await schemaMatches(sessions)).toBe('');
  });

  it('keeps accounts, and only one organization sees its own', async () => {
    const [first] = ((await service.call(ListAccounts, { caller })).body as { items: { id: string; name: string }[] }).items;
    expect(first).toMatchObject({ name: 'Default' });
    const { body } = await service.call(CreateAccount, { caller, body: { name: 'Support', description: 'x' } });
    const account = body as { id: string; workspaceId: string };
    await service.call(UpdateAccount, { caller, params: { id: account.id }, body: { name: 'Help', description: null } });
    expect((await service.call(GetAccount, { caller, params: { id: account.id } })).body).toMatchObject({ name: 'Help', description: null });
    expect((await service.call(ListAccounts, { caller, query: { search: 'hel' } })).body).toMatchObject({ total: 1, nextCursor: null });
    await expect(service.call(GetAccount, { caller: other, params: { id: account.id } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await service.call(CreateAccountProfile, { caller, params: { accountId: account.id }, body: { name: 'One' } });
    await expect(service.call(DeleteAccount, { caller, params: { id: account.id } })).rejects.toMatchObject({ code: 'CONFLICT' });
    const { items } = (await service.call(ListProfiles, { caller, query: { accountId: account.id } })).body as { items: { id: string }[] };
    await service.call(DeleteProfile, { caller, params: { id: items[0]?.id ?? '' } });
    expect(await service.call(DeleteAccount, { caller, params: { id: account.id } })).toMatchObject({ status: 204 });
    await expect(service.call(DeleteAccount, { caller, params: { id: account.id } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('creates profiles with their send gate, once for a repeated request', async () => {
    const resourceId = v7();
    const body = { name: 'Gate', messageDelayMs: 100, dailyMessageLimit: 5 };
    const first = await service.call(CreateProfile, { caller, resourceId, body });
    const again = await service.call(CreateProfile, { caller, resourceId, repeated: true, body });
    expect(first).toMatchObject({ status: 201, body: { id: resourceId, name: 'Gate', status: 'disconnected', engine: 'socket-engine', messageDelayMs: 100, dailyMessageLimit: 5, phoneNumber: null } });
    expect(again.body).toEqual(first.body);
    const changed = await service.call(UpdateProfile, { caller, params: { id: resourceId }, body: { name: 'Other', dailyMessageLimit: null } });
    expect(changed.body).toMatchObject({ name: 'Other', messageDelayMs: 100, dailyMessageLimit: null });
    expect((await service.published(ProfileCreated)).filter(({ data }) => data.profileId === resourceId)).toHaveLength(1);
  });

  it('makes nothing while the send gate is away', async () => {
    outbound.away = true;
    await expect(created()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    outbound.away = false;
    expect((await service.call(ListProfiles, { caller, query: { search: 'Sales' } })).body).toMatchObject({ total: 0 });
  });

  it('hides profiles from other organizations and from keys limited to others', async () => {
    const { id } = await created();
    const mine = await created();
    await expect(service.call(GetProfile, { caller: other, params: { id } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(service.call(ConnectProfile, { caller: other, params: { id } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const key = { ...caller, apiKeyId: v7(), profileIds: [mine.id] };
    await expect(service.call(GetProfile, { caller: key, params: { id } })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(created(key)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await service.call(ListProfiles, { caller: key })).body).toMatchObject({ total: 1, items: [{ id: mine.id }] });
  });

  it('pages through profiles', async () => {
    const pager = testCaller();
    await service.emit(OrganizationCreated, { organizationId: pager.organizationId, workspaceId: v7(), ownerId: pager.userId }, { organizationId: pager.organizationId });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await created(pager, `P${n}`)).id);
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = (await service.call(ListProfiles, { caller: pager, query: { limit: 2, ...(cursor !== undefined && { cursor }) } })).body as { items: { id: string }[]; nextCursor: string | null; total: number };
      expect(page.total).toBe(5);
      seen.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  it('refuses an engine that this installation cannot run', async () => {
    await expect(service.call(CreateProfile, { caller, body: { name: 'Web', engine: 'web-js-engine' } })).rejects.toMatchObject({ code: 'ENGINE_UNSUPPORTED' });
  });

  it('links by QR code, sends, receives and tells it', async () => {
    const profile = await created();
    const params = { accountId: profile.accountId, profileId: profile.id };
    await expect(service.call(GetQr, { caller, params })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(deliver(profile.id, '4915100000001', 'too early').catch((error: unknown) => Promise.reject(error))).rejects.toMatchObject({ code: expect.stringMatching(/PROFILE_NOT_CONNECTED|SERVICE_UNAVAILABLE/) });
    expect(await service.call(ConnectAccountProfile, { caller, params, body: {} })).toMatchObject({ status: 202, body: { status: 'connecting' } });
    const { body } = await until(() => service.call(GetQr, { caller, params }).catch(() => undefined));
    expect(body).toMatchObject({ qrCode: expect.stringMatching(/^data:image\/png;base64,/) });
    expect(await service.call(ConnectProfile, { caller, params: { id: profile.id } })).toMatchObject({ body: { status: 'awaiting_scan' } });
    await simulator.scan('4915120000001', (body as { qr: string }).qr);
    await reaches(profile.id, 'connected');
    expect((await simulator.statistics()).connections).toBe(1);
    await expect(service.call(GetQr, { caller, params })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await service.call(GetProfile, { caller, params: { id: profile.id } })).body).toMatchObject({ status: 'connected', phoneNumber: '4915120000001' });

    const networkMessageId = newNetworkId();
    expect(await deliver(profile.id, '4915100000001', 'Hello', networkMessageId)).toMatchObject({ outcome: 'acknowledged' });
    expect(await deliver(profile.id, '4915100000001', 'Hello', networkMessageId)).toMatchObject({ outcome: 'acknowledged' });
    expect(await simulator.waitForMessages('4915100000001', 1)).toMatchObject([{ id: networkMessageId, text: 'Hello' }]);
    const settle = { organizationId: caller.organizationId, profileId: profile.id };
    expect(await service.ask(SettleMessage, { ...settle, networkMessageId })).toMatchObject({ state: 'acknowledged' });
    expect(await service.ask(SettleMessage, { ...settle, networkMessageId: 'NEVER' })).toEqual({ state: 'never-seen' });
    await simulator.sendFromContact('4915100000001', { to: '4915120000001', text: 'Hi back' });
    await simulator.read('4915100000001');
    const message = await until(async () => (await service.published(SessionMessage)).at(-1));
    expect(message).toMatchObject({ profileId: profile.id, data: { chat: { jid: '4915100000001@c.us' }, fromMe: false, content: { content: { text: 'Hi back' } }, delivery: 'live' } });
    const receipts = await until(async () => {
      const told = (await service.published(SessionReceipt)).filter(({ data }) => data.networkMessageId === networkMessageId);
      return told.some(({ data }) => data.status === 'read') && told;
    });
    expect(receipts.map(({ data }) => data.status)).toEqual(['delivered', 'read']);
    const [ready] = (await service.published(ConnectionReady)).filter(({ profileId }) => profileId === profile.id);
    expect(ready).toMatchObject({ organizationId: caller.organizationId, data: { phoneNumber: '4915120000001' } });
    expect((await service.published(ConnectionQr)).some(({ profileId }) => profileId === profile.id)).toBe(true);
  });

  it('links by pairing code', async () => {
    const { id } = await created();
    const { body } = await service.call(ConnectProfile, { caller, params: { id }, body: { phoneNumber: '+49 151 2000 0002' } });
    const { pairingCode } = body as { pairingCode: string };
    await simulator.enterPairingCode('4915120000002', pairingCode);
    await reaches(id, 'connected');
    await expect(service.call(ConnectProfile, { caller, params: { id }, body: { phoneNumber: '4915120000002' } })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('goes down and up again without a new scan, and stays down after a restart', async () => {
    const { id } = await linked('4915120000003');
    expect((await service.call(DisconnectProfile, { caller, params: { id } })).body).toEqual({ status: 'disconnected' });
    await expect(deliver(id, '4915100000001', 'x')).rejects.toMatchObject({ code: 'PROFILE_NOT_CONNECTED', details: { nothingLeft: true } });
    await service.restart();
    expect(await statusOf(id)).toMatchObject({ status: 'disconnected' });
    await service.call(ConnectProfile, { caller, params: { id } });
    await reaches(id, 'connected');
    expect(await deliver(id, '4915100000001', 'again')).toMatchObject({ outcome: 'acknowledged' });
  });

  it('connects all linked profiles again after a restart', async () => {
    const { id } = await linked('4915120000004');
    await service.restart();
    await reaches(id, 'connected');
    expect(await deliver(id, '4915100000001', 'after the restart')).toMatchObject({ outcome: 'acknowledged' });
  });

  it('reconnects after a drop, and tells it', async () => {
    const { id } = await linked('4915120000005');
    await simulator.drop('4915120000005');
    await until(async () => (await service.published(ConnectionDisconnected)).some(({ profileId }) => profileId === id));
    await reaches(id, 'connected');
  });

  it('says why: logged out, replaced, version refused', async () => {
    const { id } = await linked('4915120000006');
    await simulator.conflict('4915120000006');
    await until(async () => (await statusOf(id)).statusReason === 'CONNECTION_REPLACED');
    service.clock.advance(10_000);
    await reaches(id, 'connected');
    await simulator.configureNetwork({ clientVersionMinimum: [99, 0, 0] });
    await simulator.drop('4915120000006');
    await until(async () => {
      service.clock.advance(1_000);
      return (await statusOf(id)).statusReason === 'CLIENT_VERSION_REFUSED';
    });
    expect(await statusOf(id)).toMatchObject({ status: 'failed' });
    await simulator.configureNetwork({ clientVersionMinimum: [0, 0, 0] });
    await service.call(ConnectProfile, { caller, params: { id } });
    await reaches(id, 'connected');
    await simulator.unlink('4915120000006');
    await reaches(id, 'logged_out');
    expect((await service.call(GetProfile, { caller, params: { id } })).body).toMatchObject({ phoneNumber: null });
  });

  it('has views that come out the same when they are made anew', async () => {
    const contents = () => Promise.all(['accounts', 'profiles'].map((table) => service.sql.query(`select * from ${table} order by id`)));
    const before = await contents();
    await service.rebuildViews();
    expect(await contents()).toEqual(before);
    expect(before[1]?.length).toBeGreaterThan(5);
  });

  it('unlinks a deleted profile on the phone', async () => {
    const { id } = await linked('4915120000007');
    await service.call(DisconnectProfile, { caller, params: { id } });
    expect((await simulator.phone('4915120000007')).devices).toHaveLength(1);
    expect(await service.call(DeleteProfile, { caller, params: { id } })).toMatchObject({ status: 204 });
    await until(async () => (await simulator.phone('4915120000007')).devices.length === 0);
    await expect(service.call(GetProfile, { caller, params: { id } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await service.published(ProfileDeleted)).some(({ data }) => data.profileId === id)).toBe(true);
  });
});
