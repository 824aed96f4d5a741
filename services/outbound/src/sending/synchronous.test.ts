import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  conversationIdOf,
  DailyLimitReached,
  MessageAccepted,
  MessageFailed,
  MessageQueued,
  MessageSent,
  MessageStatusChanged,
  ReadSendingStates,
  SendText,
} from '@messaging-gateway/contracts';
import { catalogueCheck, testCaller } from '@messaging-gateway/service/testing';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { networkMessageIdOf } from '../message/message.ts';
import { eventually } from '../testing/eventually.ts';
import { outboundTest, recipient, type OutboundTest } from '../testing/outbound-test.ts';
import { textOf } from '../testing/text-of.ts';

let outbound: OutboundTest;
beforeAll(async () => {
  outbound = await outboundTest();
});
afterAll(() => outbound.stop());

const stateOf = async (profileId: string, organizationId: string) =>
  (await outbound.service.ask(ReadSendingStates, { organizationId, profileIds: [profileId] })).items[0];

describe('a synchronous send', () => {
  it('serves what the catalogue promises', () =>
    expect(catalogueCheck(outbound.service.definition, ['SendThroughLane', 'TellLane'])).toEqual([]));

  it('answers once the network took it', async () => {
    const { send, profileId, caller } = await outbound.profile();
    const reply = await send('Hello');
    expect(reply).toMatchObject({
      status: 200,
      body: { status: 'sent', networkMessageId: expect.stringMatching(/^3EB0[0-9A-F]{18}$/) },
    });
    const { messageId, networkMessageId } = reply.body as { messageId: string; networkMessageId: string };
    expect(networkMessageId).toBe(networkMessageIdOf(messageId));
    expect(outbound.network.handed.at(-1)).toMatchObject({
      profileId,
      messageId,
      networkMessageId,
      to: `${recipient}@c.us`,
      content: { type: 'text', content: { text: 'Hello' } },
      attempt: 1,
    });
    expect(reply.raised?.map(({ type }) => type)).toEqual([
      'outbound.message-accepted',
      'message.sent',
      'message.status',
    ]);
    expect(await stateOf(profileId, caller.organizationId)).toMatchObject({
      dailyMessageCount: 1,
      messageDelayMs: 0,
      dailyMessageLimit: null,
    });
    // The answer comes before the record, and names what that raises.
    const told = async () => new Set((await outbound.service.published()).map(({ id }) => id));
    const named = reply.raised?.map(({ id }) => id) ?? [];
    await eventually(async () => {
      const ids = await told();
      return named.every((id) => ids.has(id));
    });
  });

  it('tells that it was accepted and sent, not queued', async () => {
    const { send, profileId } = await outbound.profile();
    const { body } = await send('Hello');
    const { messageId } = body as { messageId: string };
    const ofProfile = async () => (await outbound.service.published()).filter((event) => event.profileId === profileId);
    await eventually(async () => (await ofProfile()).length > 1);
    const told = await ofProfile();
    expect(told.map(({ type }) => type)).toEqual([MessageAccepted.type, MessageSent.type, MessageStatusChanged.type]);
    expect(told[2]?.data).toMatchObject({
      messageId,
      status: 'sent',
      previousStatus: 'sending',
      to: `${recipient}@c.us`,
    });
    expect(told.some(({ type }) => type === MessageQueued.type)).toBe(false);
  });

  it('keeps nothing readable of text and recipient in the journal', async () => {
    const { send } = await outbound.profile();
    await send('a very secret sentence', { to: '4915199999999' });
    const rows = await outbound.service.sql.query(
      `SELECT 1 FROM events WHERE data::text ~ 'secret sentence|4915199999999' OR stream ~ '4915199999999'`,
    );
    expect(rows).toEqual([]);
  });

  it('sends in the order of acceptance', async () => {
    const { send, profileId } = await outbound.profile({ messageDelayMs: 50 });
    const texts = Array.from({ length: 10 }, (_, index) => `number ${index}`);
    const sends: Promise<unknown>[] = [];
    for (const text of texts) {
      sends.push(send(text));
      await eventually(
        async () =>
          (await outbound.service.published(MessageAccepted)).filter((event) => event.profileId === profileId)
            .length === sends.length,
      );
    }
    await Promise.all(sends);
    const mine = outbound.network.handed.filter((handed) => handed.profileId === profileId);
    expect(mine.map(({ content }) => textOf(content))).toEqual(texts);
  });

  it('knows no profile of another organization, and refuses a key of other profiles', async () => {
    const { profileId, caller } = await outbound.profile();
    const body = { profileId, to: recipient, text: 'Hello' };
    await expect(outbound.service.call(SendText, { caller: testCaller(), body })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(outbound.service.call(SendText, { caller, body: { ...body, profileId: v7() } })).rejects.toMatchObject(
      { code: 'NOT_FOUND' },
    );
    await expect(
      outbound.service.call(SendText, { caller: { ...caller, profileIds: [v7()] }, body }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('to a number that is not there says what is likely wrong with it, and went to what was written', async () => {
    const { send, profileId } = await outbound.profile();
    outbound.network.script.push({ refuse: 'RECIPIENT_UNKNOWN' });
    const message = expect.stringMatching(/^The network said no\. It begins with 0, .* write \+49/);
    const refused = await send('Hello', { to: '0151 12345678' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'RECIPIENT_UNKNOWN', message });
    const handed = outbound.network.handed.filter((one) => one.profileId === profileId);
    expect(handed.map(({ to }) => to)).toEqual(['015112345678@c.us']);
    await eventually(async () => (await outbound.service.published(MessageFailed)).length > 0);
    const failed = (await outbound.service.published(MessageFailed)).filter((event) => event.profileId === profileId);
    expect(failed.map(({ data }) => data)).toMatchObject([
      { to: '015112345678@c.us', error: { code: 'RECIPIENT_UNKNOWN', message } },
    ]);
  });

  it('goes to the digits that were written, whatever a hint says of them', async () => {
    const { send, profileId } = await outbound.profile();
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 7, maxLength: 12 });
    const national = fc.tuple(fc.constantFrom('', '0', '00', '52', '55', '54', '521'), digits).map(([a, b]) => a + b);
    const phones = fc.sample(national, 24);
    for (const to of phones) {
      outbound.network.script.push({ refuse: 'RECIPIENT_UNKNOWN' });
      await expect(send('Hello', { to })).rejects.toMatchObject({ code: 'RECIPIENT_UNKNOWN' });
    }
    const handed = outbound.network.handed.filter((one) => one.profileId === profileId);
    expect(handed.map(({ to }) => to)).toEqual(phones.map((phone) => `${phone}@c.us`));
  });

  it('fails with what the network said, and gives its place back', async () => {
    const { send, profileId, caller } = await outbound.profile({ dailyMessageLimit: 1 });
    outbound.network.script.push({ refuse: 'RECIPIENT_UNKNOWN' });
    await expect(send('Hello')).rejects.toMatchObject({ code: 'RECIPIENT_UNKNOWN', message: 'The network said no.' });
    expect(await stateOf(profileId, caller.organizationId)).toMatchObject({ dailyMessageCount: 0 });
    expect((await send('Again')).status).toBe(200);
    const failed = (await outbound.service.published(MessageFailed)).filter((event) => event.profileId === profileId);
    expect(failed.map(({ data }) => data.error.code)).toEqual(['RECIPIENT_UNKNOWN']);
  });

  it('is refused at once without a connection, and leaves nothing behind', async () => {
    const { send, profileId, reconnect } = await outbound.profile({ dailyMessageLimit: 1 });
    outbound.network.disconnected.add(profileId);
    const resourceId = v7();
    await expect(send('Hello', { resourceId })).rejects.toMatchObject({ code: 'PROFILE_NOT_CONNECTED' });
    expect(await outbound.service.sql.query('SELECT 1 FROM queue WHERE profile_id = $1', [profileId])).toEqual([]);
    await reconnect();
    expect((await send('Hello', { resourceId, repeated: true })).status).toBe(200);
  });

  it('whose connection goes while it waits fails with 409; a repeat is a new try, once', async () => {
    const { send, profileId, reconnect } = await outbound.profile();
    await send('warm');
    outbound.network.disconnected.add(profileId);
    const resourceId = v7();
    await expect(send('Hello', { resourceId })).rejects.toMatchObject({ code: 'PROFILE_NOT_CONNECTED' });
    await reconnect();
    const again = await send('Hello', { resourceId, repeated: true });
    const thrice = await send('Hello', { resourceId, repeated: true });
    expect(again.status).toBe(200);
    expect(thrice.body).toEqual(again.body);
    expect(outbound.network.texts.filter((text) => text === 'Hello').length).toBeGreaterThan(0);
    expect(outbound.network.handed.filter((handed) => handed.profileId === profileId)).toHaveLength(2);
  });
});

describe('the daily limit', () => {
  it('lets exactly 20 of 50 through, and tells the others exactly why', async () => {
    const { send, profileId, caller } = await outbound.profile({ dailyMessageLimit: 20 });
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => send(`number ${index}`)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toHaveLength(30);
    for (const error of refused) {
      expect(error).toMatchObject({
        code: 'DAILY_LIMIT_REACHED',
        details: { limit: 20, count: 20, resetAt: expect.stringMatching(/T00:00:00\+07:00$/) },
      });
      expect(Object.keys(error.details)).toEqual(['limit', 'count', 'resetAt']);
    }
    expect(outbound.network.handed.filter((handed) => handed.profileId === profileId)).toHaveLength(20);
    expect(await stateOf(profileId, caller.organizationId)).toMatchObject({
      dailyMessageCount: 20,
      dailyMessageLimit: 20,
    });
    await eventually(async () =>
      (await outbound.service.published(DailyLimitReached)).some((event) => event.profileId === profileId),
    );
    const told = (await outbound.service.published(DailyLimitReached)).filter((event) => event.profileId === profileId);
    expect(told.map(({ data }) => data)).toEqual([
      { id: profileId, limit: 20, count: 20, resetAt: expect.stringMatching(/\+07:00$/) },
    ]);
  });

  it('of 0 sends nothing', async () => {
    const { send } = await outbound.profile({ dailyMessageLimit: 0 });
    await expect(send('Hello')).rejects.toMatchObject({ code: 'DAILY_LIMIT_REACHED', details: { limit: 0, count: 0 } });
  });
});

describe('a number that the network returns in another form', () => {
  it('is named as the network does, in the answer and in events; a receipt belongs to the same conversation', async () => {
    const { send, profileId } = await outbound.profile();
    const [requestedTo, to] = ['5511987654321@c.us', '551187654321@c.us'];
    outbound.network.returned.set(requestedTo, to);
    const reply = await send('Hello', { to: '5511987654321' });
    expect(reply).toMatchObject({ status: 200, body: { to, status: 'sent' } });
    const sent = async () => (await outbound.service.published(MessageSent)).find((one) => one.profileId === profileId);
    await eventually(async () => (await sent()) !== undefined);
    const conversationId = conversationIdOf(profileId, to);
    expect((await sent())?.data).toMatchObject({ to, requestedTo, conversationId });
    const { messageId } = reply.body as { messageId: string };
    const again = await send('Hello', { to: '5511987654321', resourceId: messageId, repeated: true });
    expect(again).toMatchObject({ status: 200, body: { messageId, to } });
    const plain = await send('Hello');
    expect(plain.body).toMatchObject({ to: `${recipient}@c.us` });
  });
});

describe('an outcome that is lost', () => {
  it('answers 504 with the message, and is settled under the same network id after the connection is back', async () => {
    const { send, profileId, reconnect } = await outbound.profile({ dailyMessageLimit: 5 });
    outbound.network.script.push('disconnect');
    outbound.network.usual = 'lose';
    const resourceId = v7();
    await expect(send('Hello', { resourceId })).rejects.toMatchObject({
      code: 'ENGINE_TIMEOUT',
      details: { messageId: resourceId },
      // The next request of the client waits until the inbox has this status.
      raised: expect.arrayContaining([expect.objectContaining({ type: 'message.status' })]),
    });
    outbound.network.usual = 'acknowledge';
    await reconnect();
    const reply = await send('Hello', { resourceId, repeated: true });
    expect(reply).toMatchObject({ status: 200, body: { messageId: resourceId } });
    const ids = outbound.network.handed
      .filter((handed) => handed.profileId === profileId)
      .map(({ networkMessageId }) => networkMessageId);
    expect(new Set(ids).size).toBe(1);
    const statuses = async () =>
      (await outbound.service.published(MessageStatusChanged)).filter((event) => event.profileId === profileId);
    // The answer comes before the record.
    await eventually(async () => (await statuses()).length > 1);
    expect((await statuses()).map(({ data }) => [data.previousStatus, data.status])).toEqual([
      ['sending', 'unknown'],
      ['unknown', 'sent'],
    ]);
  });
});

describe('waiting for a turn', () => {
  it('ends after 60 s: withdrawn, failed, not sent later', async () => {
    const { send, profileId } = await outbound.profile({ messageDelayMs: 3_600_000 });
    await send('first');
    const refused = send('late').catch((error: unknown) => error);
    await eventually(
      async () =>
        (await outbound.service.sql.query('SELECT 1 FROM queue WHERE profile_id = $1', [profileId])).length === 1,
    );
    outbound.service.clock.advance(61_000);
    expect(await refused).toMatchObject({ code: 'ENGINE_TIMEOUT' });
    outbound.service.clock.advance(3_600_000);
    await eventually(
      async () =>
        (await outbound.service.sql.query('SELECT 1 FROM queue WHERE profile_id = $1', [profileId])).length === 0,
    );
    expect(outbound.network.handed.filter((handed) => handed.profileId === profileId)).toHaveLength(1);
  });

  it('never ends before messageDelayMs has passed since the hand-over before', async () => {
    const { send, profileId } = await outbound.profile({ messageDelayMs: 100 });
    await Promise.all(Array.from({ length: 5 }, (_, index) => send(`number ${index}`)));
    const times = outbound.network.times.filter((_, index) => outbound.network.handed[index]?.profileId === profileId);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
  });
});
