import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ArchiveConversation,
  CreateContact,
  GetConversation,
  GetUnreadCount,
  ListContacts,
  ListConversationMessages,
  ListMessagesOfConversation,
  MessageAccepted,
  PinConversation,
  ReadConversation,
  UpdateContact,
  conversationIdOf,
  type Operation,
  type Page,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { accepted, arrived } from '../facts.fixture.ts';
import { InboxFixture, ada, textsOf, type Message } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const refusal = (code: string) => expect.objectContaining({ code });

describe('a person known by phone and by LID', () => {
  const lid = '100000000000001@lid';
  const byLid = { jid: lid, lid };
  const byBoth = { jid: `${ada}@c.us`, phone: ada, lid };

  it('has one conversation: the older id survives, the other leads to it', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'one', { chat: byLid, author: byLid }));
    const text = accepted(fixture.profileId, `${ada}@c.us`, 'two');
    await fixture.service.emit(MessageAccepted, text, fixture.about());
    expect((await fixture.conversations()).total).toBe(2);
    await fixture.arrive(arrived(fixture.profileId, ada, 'three', { chat: byBoth, author: byBoth }));
    const older = conversationIdOf(fixture.profileId, lid);
    const { items, total } = await fixture.conversations();
    expect([total, items]).toMatchObject([1, [{ id: older, jid: `${ada}@c.us`, unreadCount: 2 }]]);
    for (const id of [older, text.conversationId]) {
      expect(
        (await fixture.service.call(GetConversation, { caller: fixture.caller, params: { id } })).body,
      ).toMatchObject({ id: older });
      const list = (
        await fixture.service.call(ListConversationMessages, { caller: fixture.caller, params: { conversationId: id } })
      ).body as Page<Message>;
      expect(textsOf(list)).toEqual(['three', 'two', 'one']);
      expect(new Set(list.items.map((item) => item.conversationId))).toEqual(new Set([older]));
    }
    await fixture.service.emit(MessageAccepted, accepted(fixture.profileId, `${ada}@c.us`, 'four'), fixture.about());
    expect((await fixture.conversations()).items).toMatchObject([
      { id: older, lastMessage: { content: { text: 'four' } } },
    ]);
  });

  it('is listed again after a start when its names led to each other', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'one', { chat: byLid, author: byLid }));
    const phone = conversationIdOf(fixture.profileId, `${ada}@c.us`);
    const ofLid = conversationIdOf(fixture.profileId, lid);
    await fixture.service.sql.query('INSERT INTO conversation_aliases VALUES ($1, $2), ($2, $2)', [phone, ofLid]);
    expect((await fixture.conversations()).items).toEqual([]);
    await fixture.service.restart();
    expect((await fixture.conversations()).items).toMatchObject([{ id: ofLid, unreadCount: 1 }]);
  });

  it('is told the same message once, also when the names were joined in between', async () => {
    const hello = arrived(fixture.profileId, ada, 'Hello');
    await fixture.arrive(hello);
    await fixture.arrive(arrived(fixture.profileId, ada, 'by LID', { chat: byLid, author: byLid }));
    const group = { chat: { jid: '120363000000000007@g.us' } };
    const toAll = arrived(fixture.profileId, ada, 'Hello all', { ...group, author: byLid });
    await fixture.arrive(toAll);
    await fixture.arrive(arrived(fixture.profileId, ada, 'both', { chat: byBoth, author: byBoth }));
    for (const name of [byLid, byBoth]) {
      await fixture.arrive({ ...hello, chat: name, author: name });
      await fixture.arrive({ ...toAll, author: name });
    }
    expect((await fixture.told()).map(({ data }) => data.body)).toEqual(['Hello', 'by LID', 'Hello all', 'both']);
  });

  it('keeps what was pinned under either name, and archived what was so under both', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'one', { chat: byLid, author: byLid }));
    await fixture.arrive(arrived(fixture.profileId, ada, 'two'));
    const put = (contract: Operation, jid: string) =>
      fixture.service.call(contract, {
        caller: fixture.caller,
        params: { id: conversationIdOf(fixture.profileId, jid) },
      });
    await put(PinConversation, `${ada}@c.us`);
    await put(ArchiveConversation, lid);
    await fixture.arrive(arrived(fixture.profileId, ada, 'three', { chat: byBoth, author: byBoth }));
    expect(await fixture.conversations()).toMatchObject({
      total: 1,
      items: [{ id: conversationIdOf(fixture.profileId, lid), pinned: true, archived: false, unreadCount: 3 }],
    });
    await put(PinConversation, `${ada}@c.us`);
    expect((await fixture.conversations()).items).toMatchObject([{ pinned: false }]);
  });

  it('sends the same message once under either name', async () => {
    const hello = arrived(fixture.profileId, ada, 'Hello', { chat: byBoth, author: byBoth });
    await fixture.arrive(hello);
    await fixture.arrive({ ...hello, chat: byLid, author: byLid });
    expect(await fixture.told()).toHaveLength(1);
  });
});

describe('lists', () => {
  it('go page by page, newest first', async () => {
    for (const text of ['one', 'two', 'three', 'four', 'five'])
      await fixture.arrive(arrived(fixture.profileId, ada, text));
    const first = await fixture.ofProfile({ limit: 2 });
    const second = await fixture.ofProfile({ limit: 2, cursor: first.nextCursor });
    const third = await fixture.ofProfile({ limit: 2, cursor: second.nextCursor });
    expect([first, second, third].map(textsOf)).toEqual([['five', 'four'], ['three', 'two'], ['one']]);
    expect(third.nextCursor).toBeNull();
    const id = conversationIdOf(fixture.profileId, `${ada}@c.us`);
    const same = (
      await fixture.service.call(ListMessagesOfConversation, {
        caller: fixture.caller,
        params: { id },
        query: { limit: 3 },
      })
    ).body as Page<Message>;
    expect(textsOf(same)).toEqual(['five', 'four', 'three']);
  });

  it('put the conversation with the newest message first', async () => {
    for (const phone of ['4915100000001', '4915100000002', '4915100000001'])
      await fixture.arrive(arrived(fixture.profileId, phone, 'Hello'));
    const first = await fixture.conversations({ limit: 1 });
    const second = await fixture.conversations({ limit: 1, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map((item) => item.jid)).toEqual([
      '4915100000001@c.us',
      '4915100000002@c.us',
    ]);
    expect([first.total, second.nextCursor]).toEqual([2, null]);
  });

  it('filter conversations by name, number, unread messages and profile', async () => {
    await fixture.arrive(arrived(fixture.profileId, '4915100000001', 'Hello', { pushName: 'Grace 100%' }));
    await fixture.service.emit(
      MessageAccepted,
      accepted(fixture.profileId, '4915100000002@c.us', 'Hello'),
      fixture.about(),
    );
    const jids = async (query: object) => (await fixture.conversations(query)).items.map((item) => item.jid);
    expect(await jids({ search: 'grace' })).toEqual(['4915100000001@c.us']);
    expect(await jids({ search: '0%' })).toEqual(['4915100000001@c.us']);
    expect(await jids({ search: '0000002' })).toEqual(['4915100000002@c.us']);
    expect(await jids({ search: '%' })).toEqual(['4915100000001@c.us']);
    expect(await jids({ unread: true })).toEqual(['4915100000001@c.us']);
    expect(await jids({ unread: false })).toEqual(['4915100000002@c.us']);
    expect(await jids({ archived: true })).toEqual([]);
    expect(await jids({ profileId: v7() })).toEqual([]);
  });

  it('are found by the names that they are shown with: those of contacts', async () => {
    const lid = '100000000000079@lid';
    await fixture.arrive(arrived(fixture.profileId, '4915100000003', 'Hello', { pushName: 'gm' }));
    await fixture.arrive(
      arrived(fixture.profileId, '', 'Hello', { chat: { jid: lid, lid }, author: { jid: lid, lid } }),
    );
    const { caller, profileId } = fixture;
    const find = async (search: string) =>
      (await fixture.conversations({ search })).items.map(({ jid, name }) => [jid, name]);
    await fixture.service.call(CreateContact, { caller, body: { phone: '4915100000003', name: 'Grandmother' } });
    expect(await find('grand')).toMatchObject([['4915100000003@c.us', expect.any(String)]]);
    await fixture.service.call(CreateContact, {
      caller,
      body: { profileId, phone: '4915100000003', name: 'Oma Inge' },
    });
    expect(await find('inge')).toEqual([['4915100000003@c.us', 'Oma Inge']]);
    const { items } = (await fixture.service.call(ListContacts, { caller, query: { search: 'Ada' } })).body as Page<{
      id: string;
    }>;
    await fixture.service.call(UpdateContact, {
      caller,
      params: { id: items[0]?.id ?? '' },
      body: { name: 'Lovelace' },
    });
    expect(await find('lovelace')).toEqual([[lid, 'Lovelace']]);
    fixture.renew();
    expect(await find('inge')).toEqual([]);
  });

  it('answer 400 to a cursor that is none', async () => {
    await expect(fixture.ofProfile({ cursor: 'x' })).rejects.toEqual(refusal('VALIDATION_ERROR'));
  });
});

describe('reading a conversation', () => {
  it('counts it as read and sends receipts', async () => {
    const messages = [arrived(fixture.profileId, ada, 'one'), arrived(fixture.profileId, ada, 'two')];
    for (const one of messages) await fixture.arrive(one);
    const id = conversationIdOf(fixture.profileId, `${ada}@c.us`);
    const unread = async () => (await fixture.service.call(GetUnreadCount, { caller: fixture.caller })).body;
    expect(await unread()).toEqual({ count: 2 });
    const read = () => fixture.service.call(ReadConversation, { caller: fixture.caller, params: { id } });
    expect((await read()).body).toMatchObject({ id, unreadCount: 0 });
    expect(await unread()).toEqual({ count: 0 });
    await read();
    const ids = messages.map(({ networkMessageId }) => ({ networkMessageId }));
    expect(fixture.receipts).toEqual([{ chat: `${ada}@c.us`, messages: ids.toReversed() }]);
    await fixture.arrive(arrived(fixture.profileId, ada, 'three'));
    expect(await unread()).toEqual({ count: 1 });
  });
});
