import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ArchiveConversation,
  ClearConversation,
  DeleteConversation,
  DeleteMessage,
  GetConversation,
  GetUnreadCount,
  ListMessagesOfConversation,
  MessageStatusChanged,
  MessageAccepted,
  MuteConversation,
  PinConversation,
  UnarchiveConversation,
  conversationIdOf,
  type Operation,
  type Page,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { accepted, arrived, status } from '../facts.fixture.ts';
import { InboxFixture, ada, textsOf, type Chat, type Message } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const refusal = (code: string) => expect.objectContaining({ code });
const grace = '4915100000009';
const idOf = (phone = ada) => conversationIdOf(fixture.profileId, `${phone}@c.us`);
const call = (contract: Operation, body?: object, id = idOf(), caller = fixture.caller) =>
  fixture.service.call(contract, { caller, params: { id }, ...(body && { body }) });
const change = async (contract: Operation, body?: object, id = idOf()) => (await call(contract, body, id)).body as Chat;
const come = (text: string, phone = ada) => fixture.arrive(arrived(fixture.profileId, phone, text));
const messages = async (query: object = {}) =>
  textsOf(
    (
      await fixture.service.call(ListMessagesOfConversation, {
        caller: fixture.caller,
        params: { id: idOf() },
        query: { ...query },
      })
    ).body as Page<Message>,
  );
const unread = async () => (await fixture.service.call(GetUnreadCount, { caller: fixture.caller })).body;

describe('a conversation', () => {
  it('is archived until it is taken out again, also when messages arrive', async () => {
    await come('one');
    expect(await change(ArchiveConversation)).toMatchObject({ archived: true });
    await come('two');
    expect((await fixture.conversations({ archived: true })).items).toMatchObject([{ archived: true, unreadCount: 2 }]);
    expect((await fixture.conversations({ archived: false })).items).toEqual([]);
    expect(await change(UnarchiveConversation)).toMatchObject({ archived: false });
    expect((await fixture.conversations({ archived: false })).total).toBe(1);
  });

  it('is muted and unmuted in turn, for good or until a time', async () => {
    await come('one');
    expect(await change(MuteConversation)).toMatchObject({ muted: true });
    expect(await change(MuteConversation)).toMatchObject({ muted: false });
    const until = new Date(fixture.service.clock.now() + 60_000).toISOString();
    expect(await change(MuteConversation, { until })).toMatchObject({ muted: true, mutedUntil: until });
    expect(await change(MuteConversation, { muted: true })).not.toHaveProperty('mutedUntil');
    expect(await change(MuteConversation, { muted: true, until })).toMatchObject({ mutedUntil: until });
    fixture.service.clock.advance(60_001);
    expect((await call(GetConversation)).body).toMatchObject({ muted: false });
    expect(await change(MuteConversation)).toMatchObject({ muted: true });
    expect(await change(MuteConversation, { muted: false })).toMatchObject({ muted: false });
  });

  it.each([
    { until: '2020-01-01T00:00:00.000Z' },
    { muted: false, until: '2999-01-01T00:00:00.000Z' },
    { until: 'soon' },
    { until: 5 },
  ])('is not muted by %j', async (body) => {
    await come('one');
    await expect(call(MuteConversation, body)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [expect.objectContaining({ path: 'body.until' })],
    });
    expect((await call(GetConversation)).body).toMatchObject({ muted: false });
  });

  it('is pinned and unpinned in turn, and stands first while it is', async () => {
    for (const phone of [ada, grace]) await come('Hello', phone);
    expect(await change(PinConversation)).toMatchObject({ pinned: true });
    await come('Hello again', grace);
    const first = await fixture.conversations({ limit: 1 });
    const second = await fixture.conversations({ limit: 1, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ jid }) => jid)).toEqual([`${ada}@c.us`, `${grace}@c.us`]);
    expect(second.nextCursor).toBeNull();
    expect(await change(PinConversation, { pinned: true })).toMatchObject({ pinned: true });
    expect(await change(PinConversation)).toMatchObject({ pinned: false });
    expect((await fixture.conversations()).items.map(({ jid }) => jid)).toEqual([`${grace}@c.us`, `${ada}@c.us`]);
  });

  it('loses its messages when it is cleared, and gets new ones', async () => {
    for (const text of ['one', 'two']) await come(text);
    expect((await call(ClearConversation)).status).toBe(204);
    expect(await messages()).toEqual([]);
    expect(await unread()).toEqual({ count: 0 });
    expect((await fixture.conversations()).items).toMatchObject([
      { unreadCount: 0, lastMessage: null, lastMessageAt: null },
    ]);
    expect(
      await fixture.service.sql.query('SELECT id FROM messages WHERE profile_id = $1', [fixture.profileId]),
    ).toEqual([]);
    await come('three');
    expect(await messages()).toEqual(['three']);
    expect((await fixture.conversations()).items).toMatchObject([
      { unreadCount: 1, lastMessage: { content: { text: 'three' } } },
    ]);
  });

  it('does not get back what was cleared, neither from history nor by making the views anew', async () => {
    const old = arrived(fixture.profileId, ada, 'one', { sentAt: '2025-01-01T00:00:00.000Z' });
    await fixture.arrive(old);
    fixture.service.clock.advance(10);
    await call(ClearConversation);
    fixture.service.clock.advance(10);
    await come('two');
    await fixture.service.sql.query('DELETE FROM once');
    await fixture.arrive({ ...old, delivery: 'history' });
    expect(await messages()).toEqual(['two']);
    await fixture.service.rebuildViews();
    expect(await messages()).toEqual(['two']);
    await fixture.service.restart();
    expect(textsOf(await fixture.ofProfile())).toEqual(['two']);
  });

  it('is gone when it is deleted, and comes back with the next message', async () => {
    for (const phone of [ada, grace]) await come('Hello', phone);
    await change(PinConversation);
    expect((await call(DeleteConversation)).status).toBe(204);
    await expect(call(GetConversation)).rejects.toEqual(refusal('NOT_FOUND'));
    await expect(call(DeleteConversation)).rejects.toEqual(refusal('NOT_FOUND'));
    expect(await fixture.conversations()).toMatchObject({ total: 1, items: [{ jid: `${grace}@c.us` }] });
    expect(await unread()).toEqual({ count: 1 });
    await come('Me again');
    expect((await call(GetConversation)).body).toMatchObject({ unreadCount: 1, pinned: false });
    expect(await messages()).toEqual(['Me again']);
  });

  it('is nobody else’s to organise', async () => {
    await come('one');
    for (const contract of [
      ArchiveConversation,
      UnarchiveConversation,
      MuteConversation,
      PinConversation,
      ClearConversation,
      DeleteConversation,
    ]) {
      await expect(call(contract, undefined, idOf(), testCaller())).rejects.toEqual(refusal('NOT_FOUND'));
      const limited = { ...fixture.caller, profileIds: ['0198c0de-0000-7000-8000-000000000001'] };
      await expect(call(contract, undefined, idOf(), limited)).rejects.toEqual(refusal('FORBIDDEN'));
    }
    expect(await messages()).toEqual(['one']);
  });
});

describe('a message deleted here', () => {
  it('is gone from all lists, and stays away', async () => {
    const text = accepted(fixture.profileId, `${ada}@c.us`, 'secret');
    await come('one');
    await fixture.service.emit(MessageAccepted, text, fixture.about());
    expect((await call(DeleteMessage, undefined, text.messageId)).status).toBe(204);
    await expect(fixture.message(text.messageId)).rejects.toEqual(refusal('NOT_FOUND'));
    await expect(call(DeleteMessage, undefined, text.messageId)).rejects.toEqual(refusal('NOT_FOUND'));
    await fixture.service.emit(MessageStatusChanged, status(text, 'read'), fixture.about());
    await fixture.arrive(
      arrived(fixture.profileId, ada, 'secret', { fromMe: true, networkMessageId: text.networkMessageId }),
    );
    expect(textsOf(await fixture.ofProfile())).toEqual(['one']);
    expect(await messages()).toEqual(['one']);
    expect(await messages({ search: 'secret' })).toEqual([]);
    expect((await fixture.conversations()).items).toMatchObject([{ lastMessage: { content: { text: 'one' } } }]);
    const rows = await fixture.service.sql.query('SELECT * FROM messages WHERE profile_id = $1', [fixture.profileId]);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it('is nobody else’s to delete', async () => {
    await come('one');
    const id = (await fixture.ofProfile()).items[0]?.id as string;
    await expect(call(DeleteMessage, undefined, id, testCaller())).rejects.toEqual(refusal('NOT_FOUND'));
    expect(textsOf(await fixture.ofProfile())).toEqual(['one']);
  });
});
