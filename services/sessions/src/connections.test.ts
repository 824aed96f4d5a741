import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ConnectAccountProfile,
  ConnectionDisconnected,
  ConnectionQr,
  ConnectionReady,
  ConnectionUpdate,
  ConnectProfile,
  DeleteProfile,
  DisconnectProfile,
  GetProfile,
  GetProfileQr,
  GetProfileStatus,
  GetQr,
  ProfileDeleted,
  SessionMessage,
  SessionReceipt,
  SettleMessage,
  type Caller,
} from '@messaging-gateway/contracts';
import type { Simulator } from '@messaging-gateway/network-simulator';
import type { TestService } from '@messaging-gateway/service/testing';
import { newNetworkId, until } from './testing/engine-harness.ts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

describe('connections', () => {
  let test: SessionsTest;
  let service: TestService;
  let simulator: Simulator;
  let caller: Caller;
  let create: SessionsTest['create'];
  let linked: SessionsTest['linked'];
  let deliver: SessionsTest['deliver'];
  let statusOf: SessionsTest['statusOf'];
  let reaches: SessionsTest['reaches'];
  beforeAll(async () => {
    test = await sessionsTest();
    ({ service, simulator, create, linked, deliver, statusOf, reaches } = test);
    caller = await test.organization();
  });
  afterAll(() => test.stop());

  it('links by QR code, sends, receives and tells it', async () => {
    const profile = await create(caller);
    const params = { accountId: profile.accountId, profileId: profile.id };
    const refusal = { code: 'NOT_FOUND', message: expect.stringContaining(`POST /profiles/${profile.id}/connect`) };
    for (const query of [{}, { wait: 60 }])
      await expect(service.call(GetQr, { caller, params, query })).rejects.toMatchObject(refusal);
    await expect(
      deliver(caller, profile.id, '4915100000001', 'too early').catch((error: unknown) => Promise.reject(error)),
    ).rejects.toMatchObject({ code: expect.stringMatching(/PROFILE_NOT_CONNECTED|SERVICE_UNAVAILABLE/) });
    expect(await service.call(ConnectAccountProfile, { caller, params, body: {} })).toMatchObject({
      status: 202,
      body: { status: 'connecting' },
    });
    const { body } = await service.call(GetProfileQr, { caller, params: { id: profile.id }, query: { wait: 60 } });
    expect(body).toMatchObject({ qrCode: expect.stringMatching(/^data:image\/png;base64,/) });
    expect(await service.call(ConnectProfile, { caller, params: { id: profile.id } })).toMatchObject({
      body: { status: 'awaiting_scan' },
    });
    const ofProfile = { caller, params: { id: profile.id } };
    const waiting = service.call(GetProfileStatus, { ...ofProfile, query: { wait: 60, until: 'connected' } });
    const atOnce = { ...ofProfile, query: { wait: 60, until: 'failed,awaiting_scan' } };
    expect((await service.call(GetProfileStatus, atOnce)).body).toMatchObject({ status: 'awaiting_scan' });
    await simulator.scan('4915120000001', (body as { qr: string }).qr);
    expect((await waiting).body).toMatchObject({ status: 'connected', phoneNumber: '4915120000001' });
    expect((await simulator.statistics()).connections).toBe(1);
    await expect(service.call(GetProfileQr, { ...ofProfile, query: { wait: 60 } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('is connected'),
    });
    expect((await service.call(GetProfile, { caller, params: { id: profile.id } })).body).toMatchObject({
      status: 'connected',
      phoneNumber: '4915120000001',
    });

    const networkMessageId = newNetworkId();
    expect(await deliver(caller, profile.id, '4915100000001', 'Hello', networkMessageId)).toMatchObject({
      outcome: 'acknowledged',
    });
    expect(await deliver(caller, profile.id, '4915100000001', 'Hello', networkMessageId)).toMatchObject({
      outcome: 'acknowledged',
    });
    expect(await simulator.waitForMessages('4915100000001', 1)).toMatchObject([
      { id: networkMessageId, text: 'Hello' },
    ]);
    const settle = { organizationId: caller.organizationId, profileId: profile.id, laneEpoch: 1 };
    expect(await service.ask(SettleMessage, { ...settle, networkMessageId })).toMatchObject({ state: 'acknowledged' });
    expect(await service.ask(SettleMessage, { ...settle, networkMessageId: 'NEVER' })).toEqual({ state: 'never-seen' });
    await simulator.sendFromContact('4915100000001', { to: '4915120000001', text: 'Hi back' });
    await simulator.read('4915100000001');
    const message = await until(async () => (await service.published(SessionMessage)).at(-1));
    expect(message).toMatchObject({
      profileId: profile.id,
      data: {
        chat: { jid: '4915100000001@c.us' },
        fromMe: false,
        content: { content: { text: 'Hi back' } },
        delivery: 'live',
      },
    });
    const receipts = await until(async () => {
      const told = (await service.published(SessionReceipt)).filter(
        ({ data }) => data.networkMessageId === networkMessageId,
      );
      return told.some(({ data }) => data.status === 'read') && told;
    });
    expect(receipts.map(({ data }) => data.status)).toEqual(['delivered', 'read']);
    const [ready] = (await service.published(ConnectionReady)).filter(({ profileId }) => profileId === profile.id);
    expect(ready).toMatchObject({ organizationId: caller.organizationId, data: { phoneNumber: '4915120000001' } });
    expect((await service.published(ConnectionQr)).some(({ profileId }) => profileId === profile.id)).toBe(true);
  });

  it('links by pairing code', async () => {
    const { id } = await create(caller);
    const { body } = await service.call(ConnectProfile, {
      caller,
      params: { id },
      body: { phoneNumber: '+49 151 2000 0002' },
    });
    const { pairingCode } = body as { pairingCode: string };
    await simulator.enterPairingCode('4915120000002', pairingCode);
    await reaches(caller, id, 'connected');
    await expect(
      service.call(ConnectProfile, { caller, params: { id }, body: { phoneNumber: '4915120000002' } }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('goes down and up again without a new scan, and stays down after a restart', async () => {
    const { id } = await linked(caller, '4915120000003');
    expect((await service.call(DisconnectProfile, { caller, params: { id } })).body).toEqual({
      status: 'disconnected',
    });
    await expect(deliver(caller, id, '4915100000001', 'x')).rejects.toMatchObject({
      code: 'PROFILE_NOT_CONNECTED',
      details: { nothingLeft: true },
    });
    await service.restart();
    expect(await statusOf(caller, id)).toMatchObject({ status: 'disconnected' });
    await service.call(ConnectProfile, { caller, params: { id } });
    await reaches(caller, id, 'connected');
    expect(await deliver(caller, id, '4915100000001', 'again')).toMatchObject({ outcome: 'acknowledged' });
  });

  it('connects all linked profiles again after a restart', async () => {
    const { id } = await linked(caller, '4915120000004');
    await service.restart();
    await reaches(caller, id, 'connected');
    expect(await deliver(caller, id, '4915100000001', 'after the restart')).toMatchObject({ outcome: 'acknowledged' });
  });

  it('reconnects after a drop, and tells it', async () => {
    const { id } = await linked(caller, '4915120000005');
    await simulator.drop('4915120000005');
    await until(async () =>
      (await service.published(ConnectionDisconnected)).some(({ profileId }) => profileId === id),
    );
    await reaches(caller, id, 'connected');
  });

  it('says why: logged out, replaced, version refused', async () => {
    const { id } = await linked(caller, '4915120000006');
    await simulator.conflict('4915120000006');
    await until(async () => (await statusOf(caller, id)).statusReason === 'CONNECTION_REPLACED');
    service.clock.advance(10_000);
    await reaches(caller, id, 'connected');
    await simulator.configureNetwork({ clientVersionMinimum: [99, 0, 0] });
    await simulator.drop('4915120000006');
    await until(async () => {
      service.clock.advance(1_000);
      return (await statusOf(caller, id)).statusReason === 'CLIENT_VERSION_REFUSED';
    });
    expect(await statusOf(caller, id)).toMatchObject({ status: 'failed' });
    await simulator.configureNetwork({ clientVersionMinimum: [0, 0, 0] });
    await service.call(ConnectProfile, { caller, params: { id } });
    await reaches(caller, id, 'connected');
    await simulator.unlink('4915120000006');
    await reaches(caller, id, 'logged_out');
    expect((await service.call(GetProfile, { caller, params: { id } })).body).toMatchObject({ phoneNumber: null });
  });

  it('says that the account is linked with a passkey alone, and can be tried again', async () => {
    const [{ id, ...rest }, phone] = [await create(caller), '4915120000008'];
    await simulator.configureContact(phone, { passkey: true });
    await service.call(ConnectProfile, { caller, params: { id } });
    const { qr } = await test.qrOf(caller, { id, ...rest });
    await expect(simulator.scan(phone, qr)).rejects.toMatchObject({ code: 'PASSKEY_REQUIRED' });
    await reaches(caller, id, 'failed', 'PASSKEY_REQUIRED');
    const told = (await service.published(ConnectionUpdate)).filter(({ profileId }) => profileId === id);
    expect(told.at(-1)?.data).toEqual({ status: 'failed', reason: 'PASSKEY_REQUIRED' });
    const wanted = await service.sql.query('SELECT is_wanted, engine FROM profiles WHERE id = $1', [id]);
    expect(wanted).toEqual([{ is_wanted: false, engine: 'socket-engine' }]);
    await simulator.configureContact(phone, { passkey: false });
    await service.call(ConnectProfile, { caller, params: { id } });
    await until(async () =>
      simulator.scan(phone, (await test.qrOf(caller, { id, ...rest })).qr).then(
        () => true,
        () => false,
      ),
    );
    await reaches(caller, id, 'connected');
  });

  it('has views that come out the same when they are made anew', async () => {
    const rows = (table: string) => service.sql.query(`SELECT * FROM ${table} ORDER BY id`);
    const contents = () => Promise.all(['accounts', 'profiles'].map(rows));
    const journalEnd = () => service.sql.query('SELECT max(position) FROM events');
    // Connections of earlier tests may still note something.
    const [before, after] = await until(async () => {
      const end = await journalEnd();
      const seen = [await contents(), (await service.rebuildViews(), await contents())] as const;
      return JSON.stringify(await journalEnd()) === JSON.stringify(end) && seen;
    });
    expect(after).toEqual(before);
    expect(before[1]?.length).toBeGreaterThan(5);
  });

  it('unlinks a deleted profile on the phone', async () => {
    const { id } = await linked(caller, '4915120000007');
    await service.call(DisconnectProfile, { caller, params: { id } });
    expect((await simulator.phone('4915120000007')).devices).toHaveLength(1);
    expect(await service.call(DeleteProfile, { caller, params: { id } })).toMatchObject({ status: 204 });
    await until(async () => (await simulator.phone('4915120000007')).devices.length === 0);
    await expect(service.call(GetProfile, { caller, params: { id } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await service.published(ProfileDeleted)).some(({ data }) => data.profileId === id)).toBe(true);
  });
});
