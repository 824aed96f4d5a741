import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import {
  ApplySendingPolicy, ConnectProfile, CreateProfile, DeliverMessage, GetProfileStatus, GetQr, OrganizationCreated, ReadSendingStates, SessionMessage,
} from '@messaging-gateway/contracts';
import { startSimulator } from '@messaging-gateway/network-simulator';
import { testCaller, testService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { sessions } from './index.ts';
import { newNetworkId, sessionsFolder, until } from './testing/engine-harness.ts';
import { fakeOutbound, testSettings } from './testing/fakes.ts';
import { smallDisk } from './testing/small-disk.ts';

it('sends nothing while the disk is full, says so, and goes on when there is room', async () => {
  const folder = await sessionsFolder();
  const disk = smallDisk(join(folder.directory, 'disk'));
  if (disk === undefined) return;
  const simulator = await startSimulator();
  const outbound = fakeOutbound();
  const service = await testService(sessions, {
    settings: testSettings(simulator, join(folder.directory, 'disk', 'sessions')),
    others: async (fake) => {
      await fake(ApplySendingPolicy, outbound.apply);
      await fake(ReadSendingStates, outbound.read);
    },
  });
  const caller = testCaller();
  const { organizationId } = caller;
  const [phone, contact] = ['4915120000300', '4915100000300'];
  await service.emit(OrganizationCreated, { organizationId, workspaceId: v7(), ownerId: caller.userId }, { organizationId });
  const profile = (await service.call(CreateProfile, { caller, body: { name: 'A' } })).body as { id: string; accountId: string };
  const params = { id: profile.id };
  const statusIs = (status: string, reason: string | null) =>
    until(async () => {
      service.clock.advance(500);
      const { body } = await service.call(GetProfileStatus, { caller, params });
      const now = body as { status: string; statusReason: string | null };
      return now.status === status && now.statusReason === reason;
    });
  const deliver = (text: string) =>
    service.ask(DeliverMessage, {
      organizationId, profileId: profile.id, messageId: v7(), networkMessageId: newNetworkId(), laneEpoch: 1, to: `${contact}@c.us`, content: { type: 'text', content: { text } },
    });

  await service.call(ConnectProfile, { caller, params });
  const qr = await until(() => service.call(GetQr, { caller, params: { accountId: profile.accountId, profileId: profile.id } }).catch(() => undefined));
  await simulator.scan(phone, (qr.body as { qr: string }).qr);
  await statusIs('connected', null);
  expect(await deliver('before')).toMatchObject({ outcome: 'acknowledged' });

  disk.fill();
  let sent = 1;
  // What was set aside for the database is used up first.
  const refusal = await until(() => deliver('x'.repeat(60_000)).then(() => void (sent += 1), (error: unknown) => error), 60_000);
  expect(refusal).toMatchObject({ code: 'PROFILE_NOT_CONNECTED', details: { nothingLeft: true } });
  await statusIs('reconnecting', 'SESSION_DATA_UNAVAILABLE');
  expect((await simulator.messages(contact)).length).toBe(sent);

  disk.empty();
  await statusIs('connected', null);
  expect(await deliver('after')).toMatchObject({ outcome: 'acknowledged' });
  expect((await simulator.messages(contact)).at(-1)).toMatchObject({ text: 'after' });
  await simulator.sendFromContact(contact, { to: phone, text: 'read you' });
  await until(async () => (await service.published(SessionMessage)).some(({ data }) => JSON.stringify(data).includes('read you')));
  await service.stop();
  await simulator.stop();
  disk.remove();
  await folder.remove();
});
