import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ConnectionDisconnected,
  FindMessage,
  MessageFailed,
  MessageQueued,
  MessageSent,
  MessageStatusChanged,
  ProfileDeleted,
  ReadSendingStates,
  SendText,
  SessionReceipt,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { networkMessageIdOf } from '../message/message.ts';
import { eventually } from '../testing/eventually.ts';
import { outboundTest, type OutboundTest } from '../testing/outbound-test.ts';
import { watching } from '../testing/watching.ts';

let outbound: OutboundTest;
beforeAll(async () => {
  outbound = await outboundTest({ durableSend: true });
});
afterAll(() => outbound.stop());

const { handedTo, textsOf, isDone } = watching(() => ({
  network: outbound.network,
  sql: outbound.service.sql,
}));
const statusesOf = async (messageId: string) =>
  (await outbound.service.published(MessageStatusChanged))
    .filter(({ data }) => data.messageId === messageId)
    .map(({ data }) => data.status);

describe('a durable send', () => {
  it('answers 202 once it is stored, is delivered, and told as queued and sent', async () => {
    const profile = await outbound.profile();
    const reply = await profile.send('Hello');
    expect(reply).toMatchObject({
      status: 202,
      body: { success: true, status: 'queued', messageId: expect.any(String) },
    });
    expect(Object.keys(reply.body as object)).toEqual(['success', 'status', 'messageId']);
    await isDone(profile);
    const { messageId } = reply.body as { messageId: string };
    const told = (await outbound.service.published()).filter(
      (event) => (event.data as { messageId?: string }).messageId === messageId,
    );
    expect(told.map(({ type }) => type)).toEqual([
      'outbound.message-accepted',
      MessageQueued.type,
      MessageSent.type,
      MessageStatusChanged.type,
    ]);
    expect(told.at(-1)?.data).toMatchObject({ previousStatus: 'queued', status: 'sent' });
  });

  it('asked for again answers its state: queued, then the result', async () => {
    const profile = await outbound.profile();
    outbound.network.disconnected.add(profile.profileId);
    const resourceId = v7();
    const first = await profile.send('Hello', { resourceId });
    expect(await profile.send('Hello', { resourceId, repeated: true })).toMatchObject({
      status: 202,
      body: first.body,
    });
    expect((await profile.send('Hello', { resourceId })).status).toBe(202);
    await profile.reconnect();
    await isDone(profile);
    expect(await profile.send('Hello', { resourceId, repeated: true })).toMatchObject({
      status: 200,
      body: { messageId: resourceId, status: 'sent' },
    });
    expect(handedTo(profile)).toHaveLength(1);
  });

  it('goes out in order, however many wait', async () => {
    const profile = await outbound.profile();
    outbound.network.disconnected.add(profile.profileId);
    const texts = Array.from({ length: 250 }, (_, index) => `number ${index}`);
    for (const text of texts) await profile.send(text);
    expect(handedTo(profile)).toHaveLength(0);
    await profile.reconnect();
    await isDone(profile);
    expect(textsOf(profile)).toEqual(texts);
  });

  it('is refused before it is queued at the daily limit', async () => {
    const profile = await outbound.profile({ dailyMessageLimit: 1 });
    await profile.send('one');
    await expect(profile.send('two')).rejects.toMatchObject({
      code: 'DAILY_LIMIT_REACHED',
      details: { limit: 1, count: 1 },
    });
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
    expect(handedTo(profile).map(({ attempt }) => attempt)).toEqual([1]);
  });

  it('survives a restart and goes out after it', async () => {
    const profile = await outbound.profile();
    outbound.network.disconnected.add(profile.profileId);
    for (const text of ['one', 'two', 'three']) await profile.send(text);
    await outbound.service.restart();
    await profile.reconnect();
    await isDone(profile);
    expect(textsOf(profile)).toEqual(['one', 'two', 'three']);
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
    const [failed] = (await outbound.service.published(MessageFailed)).filter(
      ({ data }) => data.messageId === messageId,
    );
    expect(failed?.data.error.code).toBe('EXPIRED');
    await profile.reconnect();
    expect((await profile.send('Next')).status).toBe(202);
    await isDone(profile);
    expect(textsOf(profile)).toEqual(['Next']);
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
    expect(
      await outbound.service.ask(ReadSendingStates, { organizationId: caller.organizationId, profileIds: [profileId] }),
    ).toEqual({ items: [] });
    expect(handedTo({ profileId })).toHaveLength(0);
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
    await outbound.service.emit(
      ConnectionDisconnected,
      { reason: 'LOST' },
      { organizationId: profile.caller.organizationId, profileId: profile.profileId },
    );
    await profile.reconnect();
    await isDone(profile);
    expect(textsOf(profile)).toEqual(['one', 'one', 'two']);
    expect(new Set(handedTo(profile).map(({ networkMessageId }) => networkMessageId)).size).toBe(2);
    expect(await statusesOf(messageId)).toEqual(['unknown', 'sent']);
  });

  it('and that was refused then is really tried again, also after a restart', async () => {
    const profile = await outbound.profile();
    outbound.network.script.push('lose', { refuse: 'ENGINE_REFUSED' });
    const { body } = await profile.send('Hello');
    const { messageId } = body as { messageId: string };
    await eventually(() => handedTo(profile).length === 2);
    await eventually(
      async () => (await outbound.service.sql.query('SELECT 1 FROM queue WHERE attempts = 1')).length === 1,
    );
    await outbound.service.restart();
    await isDone(profile);
    expect(await statusesOf(messageId)).toEqual(['unknown', 'sent']);
    expect(handedTo(profile).map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  });

  it('is settled by a receipt as well', async () => {
    const profile = await outbound.profile();
    const {
      profileId,
      caller: { organizationId },
    } = profile;
    outbound.network.script.push('disconnect');
    const { body } = await profile.send('Hello');
    const { messageId } = body as { messageId: string };
    await eventually(async () => (await statusesOf(messageId)).includes('unknown'));
    const receipt = {
      profileId,
      networkMessageId: networkMessageIdOf(messageId),
      status: 'read' as const,
      at: new Date().toISOString(),
    };
    await outbound.service.emit(SessionReceipt, receipt, { organizationId, profileId });
    expect(await statusesOf(messageId)).toEqual(['unknown', 'sent', 'read']);
    await profile.reconnect();
    await isDone(profile);
    expect(handedTo({ profileId })).toHaveLength(1);
  });
});

describe('a message that quotes', () => {
  it('carries what the network needs, and mentions as JIDs', async () => {
    const profile = await outbound.profile();
    const { profileId, caller } = profile;
    const quotedMessageId = v7();
    const chat = '4915112345678@c.us';
    const stop = await outbound.service.fake(FindMessage, ({ messageId }) => {
      const found = messageId === quotedMessageId ? profileId : v7();
      return {
        messageId,
        profileId: found,
        networkMessageId: '3EB0AA',
        chat,
        author: chat,
        fromMe: false,
        text: 'Well?',
      };
    });
    const body = { profileId, to: chat, text: 'Yes', quotedMessageId, mentions: ['+49 151 999-8887'] };
    expect((await outbound.service.call(SendText, { caller, body })).status).toBe(202);
    await isDone(profile);
    expect(handedTo({ profileId }).at(-1)?.content).toEqual({
      type: 'text',
      content: { text: 'Yes', mentions: ['491519998887@c.us'] },
      quoted: { networkMessageId: '3EB0AA', fromMe: false, author: chat, text: 'Well?' },
    });
    const other = { ...body, quotedMessageId: v7() };
    await expect(outbound.service.call(SendText, { caller, body: other })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await stop();
  });
});
