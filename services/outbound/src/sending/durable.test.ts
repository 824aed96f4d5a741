import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ConnectionDisconnected, MessageFailed, MessageQueued, MessageSent, MessageStatusChanged, ProfileDeleted, ReadSendingStates, SendText,
  SessionReceipt,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { v7 } from 'uuid';
import { networkMessageIdOf } from '../message/network-message-id.ts';
import { eventually, outboundTest, type OutboundTest, type TestProfile } from '../testing/outbound-test.ts';

let outbound: OutboundTest;
beforeAll(async () => {
  outbound = await outboundTest({ durableSend: true });
});
afterAll(() => outbound.stop());

const handedTo = (profileId: string) => outbound.network.handed.filter((handed) => handed.profileId === profileId);
const textsOf = (profileId: string) => handedTo(profileId).map(({ content }) => content.content.text);
const statusesOf = async (messageId: string) =>
  (await outbound.service.published(MessageStatusChanged)).filter(({ data }) => data.messageId === messageId).map(({ data }) => data.status);
const queueOf = (profileId: string) => outbound.service.sql.query('select * from queue where profile_id = $1', [profileId]);
const isDone = ({ profileId }: TestProfile) => eventually(async () => (await queueOf(profileId)).length === 0);

describe('a durable send', () => {
  it('answers 202 once it is stored, is delivered, and told as queued and sent', async () => {
    const profile = await outbound.profile();
    const reply = await profile.send('Hello');
    expect(reply).toMatchObject({ status: 202, body: { success: true, status: 'queued', messageId: expect.any(String) } });
    expect(Object.keys(reply.body as object)).toEqual(['success', 'status', 'messageId']);
    await isDone(profile);
    const { messageId } = reply.body as { messageId: string };
    const told = (await outbound.service.published()).filter((event) => (event.data as { messageId?: string }).messageId === messageId);
    expect(told.map(({ type }) => type)).toEqual(['outbound.message-accepted', MessageQueued.type, MessageSent.type, MessageStatusChanged.type]);
    expect(told.at(-1)?.data).toMatchObject({ previousStatus: 'queued', status: 'sent' });
  });

  it('asked for again answers its state: queued, then the result', async () => {
    const profile = await outbound.profile();
    outbound.network.disconnected.add(profile.profileId);
    const resourceId = v7();
    const first = await profile.send('Hello', { resourceId });
    expect(await profile.send('Hello', { resourceId, repeated: true })).toMatchObject({ status: 202, body: first.body });
    expect((await profile.send('Hello', { resourceId })).status).toBe(202);
    await profile.reconnect();
    await isDone(profile);
    expect(await profile.send('Hello', { resourceId, repeated: true })).toMatchObject({ status: 200, body: { messageId: resourceId, status: 'sent' } });
    expect(handedTo(profile.profileId)).toHaveLength(1);
  });

  it('goes out in order, however many wait', async () => {
    const profile = await outbound.profile();
    outbound.network.disconnected.add(profile.profileId);
    const texts = Array.from({ length: 250 }, (_, index) => `number ${index}`);
    for (const text of texts) await profile.send(text);
    expect(handedTo(profile.profileId)).toHaveLength(0);
    await profile.reconnect();
    await isDone(profile);
    expect(textsOf(profile.profileId)).toEqual(texts);
  });

  it('is refused before it is queued at the daily limit', async () => {
    const profile = await outbound.profile({ dailyMessageLimit: 1 });
    await profile.send('one');
    await expect(profile.send('two')).rejects.toMatchObject({ code: 'DAILY_LIMIT_REACHED', details: { limit: 1, count: 1 } });
  });

  it('waits for the connection without spending attempts', async () => {
    const profile = await outbound.profile();
    outbound.network.disconnected.add(profile.profileId);
    await profile.send('Hello');
    for (let minute = 0; minute < 5; minute += 1) {
      outbound.service.clock.advance(60_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await profile.reconnect();
    await isDone(profile);
    expect(handedTo(profile.profileId).map(({ attempt }) => attempt)).toEqual([1]);
  });

  it('survives a restart and goes out after it', async () => {
    const profile = await outbound.profile();
    outbound.network.disconnected.add(profile.profileId);
    for (const text of ['one', 'two', 'three']) await profile.send(text);
    await outbound.service.restart();
    await profile.reconnect();
    await isDone(profile);
    expect(textsOf(profile.profileId)).toEqual(['one', 'two', 'three']);
  });
});

describe('a durable send that the network refuses', () => {
  it('is tried three times, 1 s and 4 s later, and then fails with that code', async () => {
    const profile = await outbound.profile();
    outbound.network.script.push({ refuse: 'RECIPIENT_UNKNOWN' }, { refuse: 'RECIPIENT_UNKNOWN' }, { refuse: 'RECIPIENT_UNKNOWN' });
    const begun = outbound.service.clock.now();
    const { body } = await profile.send('Hello');
    const { messageId } = body as { messageId: string };
    await eventually(() => handedTo(profile.profileId).length === 1);
    outbound.service.clock.advance(1000);
    await eventually(() => handedTo(profile.profileId).length === 2);
    outbound.service.clock.advance(4000);
    await isDone(profile);
    expect(handedTo(profile.profileId).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(outbound.service.clock.now() - begun).toBeGreaterThanOrEqual(5000);
    const [failed] = (await outbound.service.published(MessageFailed)).filter(({ data }) => data.messageId === messageId);
    expect(failed?.data).toMatchObject({ error: { code: 'RECIPIENT_UNKNOWN' }, type: 'text', origin: 'api' });
    expect(await statusesOf(messageId)).toEqual(['failed']);
  });

  it('holds up its own chat only', async () => {
    const profile = await outbound.profile();
    outbound.network.script.push({ refuse: 'ENGINE_REFUSED' });
    await profile.send('one', { to: '4915111111111' });
    await eventually(() => handedTo(profile.profileId).length === 1);
    await profile.send('two', { to: '4915111111111' });
    await profile.send('other chat', { to: '4915122222222' });
    await eventually(() => handedTo(profile.profileId).length === 2);
    outbound.service.clock.advance(1000);
    await isDone(profile);
    expect(textsOf(profile.profileId)).toEqual(['one', 'other chat', 'one', 'two']);
  });

  it('goes on with its attempts after a restart', async () => {
    const profile = await outbound.profile();
    outbound.network.script.push({ refuse: 'ENGINE_REFUSED' });
    await profile.send('Hello');
    await eventually(async () => (await queueOf(profile.profileId))[0]?.['attempts'] === 1);
    await outbound.service.restart();
    outbound.service.clock.advance(1000);
    await isDone(profile);
    expect(handedTo(profile.profileId).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('spends no attempt when sessions could not begin', async () => {
    const profile = await outbound.profile();
    outbound.network.script.push({ throw: new Refused('SERVICE_UNAVAILABLE', 'Too late.', { nothingLeft: true }) });
    await profile.send('Hello');
    await eventually(() => outbound.network.script.length === 0);
    outbound.service.clock.advance(1000);
    await isDone(profile);
    expect(handedTo(profile.profileId).map(({ attempt }) => attempt)).toEqual([1]);
  });
});

describe('a durable send that cannot go out', () => {
  it('expires, and gives its place back', async () => {
    const profile = await outbound.profile({ dailyMessageLimit: 1 });
    outbound.network.disconnected.add(profile.profileId);
    const { body } = await profile.send('Hello');
    const { messageId } = body as { messageId: string };
    outbound.service.clock.advance(72 * 3_600_000);
    await isDone(profile);
    const [failed] = (await outbound.service.published(MessageFailed)).filter(({ data }) => data.messageId === messageId);
    expect(failed?.data.error.code).toBe('EXPIRED');
    await profile.reconnect();
    expect((await profile.send('Next')).status).toBe(202);
    await isDone(profile);
    expect(textsOf(profile.profileId)).toEqual(['Next']);
  });

  it('fails when its profile is deleted, and nothing more is taken', async () => {
    const profile = await outbound.profile();
    const { profileId, caller } = profile;
    outbound.network.disconnected.add(profileId);
    for (let index = 0; index < 3; index += 1) await profile.send(`number ${index}`);
    await outbound.service.emit(ProfileDeleted, { profileId }, { organizationId: caller.organizationId, profileId });
    await isDone(profile);
    const failed = (await outbound.service.published(MessageFailed)).filter((event) => event.profileId === profileId);
    expect(failed.map(({ data }) => data.error.code)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    await expect(profile.send('Hello')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await outbound.service.ask(ReadSendingStates, { organizationId: caller.organizationId, profileIds: [profileId] })).toEqual({ items: [] });
    expect(handedTo(profileId)).toHaveLength(0);
  });
});

describe('a durable send whose outcome is lost', () => {
  it('is unknown, and settled first when the connection is back, under the same network id', async () => {
    const profile = await outbound.profile();
    outbound.network.script.push('disconnect');
    const { body } = await profile.send('one');
    const { messageId } = body as { messageId: string };
    await eventually(async () => (await statusesOf(messageId)).includes('unknown'));
    await profile.send('two');
    await outbound.service.emit(ConnectionDisconnected, { reason: 'LOST' }, { organizationId: profile.caller.organizationId, profileId: profile.profileId });
    await profile.reconnect();
    await isDone(profile);
    expect(textsOf(profile.profileId)).toEqual(['one', 'one', 'two']);
    expect(new Set(handedTo(profile.profileId).map(({ networkMessageId }) => networkMessageId)).size).toBe(2);
    expect(await statusesOf(messageId)).toEqual(['unknown', 'sent']);
  });

  it('is settled by a receipt as well', async () => {
    const profile = await outbound.profile();
    const { profileId, caller: { organizationId } } = profile;
    outbound.network.script.push('disconnect');
    const { body } = await profile.send('Hello');
    const { messageId } = body as { messageId: string };
    await eventually(async () => (await statusesOf(messageId)).includes('unknown'));
    const receipt = { profileId, networkMessageId: networkMessageIdOf(messageId), status: 'read' as const, at: new Date().toISOString() };
    await outbound.service.emit(SessionReceipt, receipt, { organizationId, profileId });
    expect(await statusesOf(messageId)).toEqual(['unknown', 'sent', 'read']);
    await profile.reconnect();
    await isDone(profile);
    expect(handedTo(profileId)).toHaveLength(1);
  });
});

describe('receipts', () => {
  it('come in any order, and a status never moves backwards', async () => {
    const profile = await outbound.profile();
    const { profileId, caller: { organizationId } } = profile;
    const { body } = await profile.send('Hello');
    const { messageId } = body as { messageId: string };
    await isDone(profile);
    for (const status of ['read', 'delivered', 'read', 'played', 'delivered'] as const) {
      const receipt = { profileId, networkMessageId: networkMessageIdOf(messageId), status, at: new Date().toISOString() };
      await outbound.service.emit(SessionReceipt, receipt, { organizationId, profileId });
    }
    expect(await statusesOf(messageId)).toEqual(['sent', 'read', 'played']);
  });

  it('of messages that are not ours are dropped', async () => {
    const { profileId, caller } = await outbound.profile();
    const receipt = { profileId, networkMessageId: '3EB0FFFFFFFFFFFF', status: 'read' as const, at: new Date().toISOString() };
    await outbound.service.emit(SessionReceipt, receipt, { organizationId: caller.organizationId, profileId });
  });

  it('are found after a restart', async () => {
    const profile = await outbound.profile();
    const { profileId, caller: { organizationId } } = profile;
    const { body } = await profile.send('Hello');
    const { messageId } = body as { messageId: string };
    await isDone(profile);
    await outbound.service.restart();
    const receipt = { profileId, networkMessageId: networkMessageIdOf(messageId), status: 'delivered' as const, at: new Date().toISOString() };
    await outbound.service.emit(SessionReceipt, receipt, { organizationId, profileId });
    expect(await statusesOf(messageId)).toEqual(['sent', 'delivered']);
  });
});

describe('midnight in Jakarta', () => {
  it('resets the count; what is reserved takes a place of the new day', async () => {
    const profile = await outbound.profile({ dailyMessageLimit: 2 });
    const { profileId, caller } = profile;
    await profile.send('one');
    await isDone(profile);
    outbound.network.disconnected.add(profileId);
    await profile.send('two');
    await expect(profile.send('three')).rejects.toMatchObject({ code: 'DAILY_LIMIT_REACHED', details: { count: 2 } });
    outbound.service.clock.advance(24 * 3_600_000);
    const [state] = (await outbound.service.ask(ReadSendingStates, { organizationId: caller.organizationId, profileIds: [profileId] })).items;
    expect(state).toMatchObject({ dailyMessageCount: 0, dailyMessageLimit: 2 });
    expect(Date.parse(state?.dailyResetAt ?? '')).toBeGreaterThan(outbound.service.clock.now());
    await profile.send('four');
    await expect(profile.send('five')).rejects.toMatchObject({ details: { count: 2 } });
    await profile.reconnect();
    await isDone(profile);
    expect(textsOf(profileId)).toEqual(['one', 'two', 'four']);
  });
});

describe('a message that quotes', () => {
  it('needs the quoted one', async () => {
    const { profileId, caller } = await outbound.profile();
    const body = { profileId, to: '4915112345678', text: 'Yes', quotedMessageId: v7() };
    await expect(outbound.service.call(SendText, { caller, body })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
