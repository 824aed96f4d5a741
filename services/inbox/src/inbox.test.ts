import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DescribeProfile,
  FindMessage,
  GetConversation,
  GetMessage,
  GetUnreadCount,
  ListConversationMessages,
  ListConversations,
  ListMessagesOfConversation,
  ListProfileMessages,
  MessageAccepted,
  MessageFailed,
  MessageReceived,
  MessageSent,
  MessageStatusChanged,
  ReadConversation,
  SendReadReceipts,
  SessionMessage,
  conversationIdOf,
  type Caller,
  type Conversation,
  type MessageRecord,
  type Page,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { testCaller, testService, type TestService } from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { accepted, arrived, sent, status, type Arrived } from './facts.fixture.ts';
import { inbox } from './index.ts';

type Message = Static<typeof MessageRecord>;
type Chat = Static<typeof Conversation>;

const ownNumber = '4915187654321';
const ada = '4915112345678';
let service: TestService;
let caller: Caller;
let profileId: string;
const profiles = new Map<string, string>();
const receipts: { chat: string; messages: { networkMessageId: string }[] }[] = [];

beforeAll(async () => {
  service = await testService(inbox, {
    settings: {},
    others: async (fake) => {
      await fake(DescribeProfile, (asked) => {
        if (profiles.get(asked.profileId) !== asked.organizationId)
          throw new Refused('NOT_FOUND', 'There is no such profile.');
        return { profileId: asked.profileId, status: 'connected' as const, phoneNumber: ownNumber };
      });
      await fake(SendReadReceipts, ({ chat, messages }) => {
        receipts.push({ chat, messages });
        return {};
      });
    },
  });
});
afterAll(() => service.stop());

beforeEach(() => {
  caller = testCaller();
  profileId = v7();
  profiles.set(profileId, caller.organizationId);
  receipts.length = 0;
});

const about = () => ({ organizationId: caller.organizationId, profileId });
const arrive = (message: Arrived) => service.emit(SessionMessage, message, about());
const message = async (id: string, by = caller): Promise<Message> =>
  (await service.call(GetMessage, { caller: by, params: { id } })).body as Message;
const ofProfile = async (query: object = {}, by = caller): Promise<Page<Message>> =>
  (await service.call(ListProfileMessages, { caller: by, params: { profileId }, query: { ...query } }))
    .body as Page<Message>;
const conversations = async (query: object = {}, by = caller): Promise<Page<Chat>> =>
  (await service.call(ListConversations, { caller: by, query: { ...query } })).body as Page<Chat>;
const texts = ({ items }: Page<Message>): unknown[] =>
  items.map(({ content }) => ('text' in content ? content.text : undefined));
const told = async () => (await service.published(MessageReceived)).filter((event) => event.profileId === profileId);
const refusal = (code: string) => expect.objectContaining({ code });

describe('an outgoing message', () => {
  it('is stored as accepted and followed to the reader', async () => {
    const text = accepted(profileId, `${ada}@c.us`, 'Hello');
    await service.emit(MessageAccepted, text, about());
    expect(await message(text.messageId)).toEqual({
      id: text.messageId,
      profileId,
      conversationId: text.conversationId,
      networkMessageId: text.networkMessageId,
      direction: 'outgoing',
      from: `${ownNumber}@c.us`,
      to: `${ada}@c.us`,
      type: 'text',
      content: { text: 'Hello' },
      quotedMessageId: null,
      status: 'queued',
      error: null,
      timestamp: text.acceptedAt,
      createdAt: expect.any(String),
    });
    await service.emit(MessageSent, sent(text), about());
    expect(await message(text.messageId)).toMatchObject({ status: 'sent' });
    await service.emit(MessageStatusChanged, status(text, 'read'), about());
    await service.emit(MessageStatusChanged, status(text, 'delivered'), about());
    expect(await message(text.messageId)).toMatchObject({ status: 'read' });
    expect(await told()).toEqual([]);
  });

  it('is stored right when the news of it come first', async () => {
    const text = accepted(profileId, `${ada}@c.us`, 'Hello');
    await service.emit(MessageStatusChanged, status(text, 'delivered'), about());
    await service.emit(MessageSent, sent(text), about());
    await expect(message(text.messageId)).rejects.toEqual(refusal('NOT_FOUND'));
    await service.emit(MessageAccepted, text, about());
    expect(await message(text.messageId)).toMatchObject({ status: 'delivered', content: { text: 'Hello' } });
  });

  it('says why it failed', async () => {
    const text = accepted(profileId, `${ada}@c.us`, 'Hello');
    const error = { code: 'EXPIRED', message: 'The message could not go out in time.' };
    await service.emit(MessageAccepted, text, about());
    await service.emit(MessageStatusChanged, status(text, 'failed'), about());
    await service.emit(MessageFailed, { ...sent(text), error }, about());
    expect(await message(text.messageId)).toMatchObject({ status: 'failed', error });
  });
});

describe('an incoming message', () => {
  it('is stored, told and counted as unread', async () => {
    const hello = arrived(profileId, ada, 'Hello');
    await arrive(hello);
    const conversationId = conversationIdOf(profileId, `${ada}@c.us`);
    const { items } = await ofProfile();
    expect(items).toEqual([
      expect.objectContaining({
        conversationId,
        direction: 'incoming',
        from: `${ada}@c.us`,
        to: `${ownNumber}@c.us`,
        status: 'received',
        content: { text: 'Hello' },
        networkMessageId: hello.networkMessageId,
        timestamp: hello.sentAt,
      }),
    ]);
    expect(await told()).toEqual([
      expect.objectContaining({
        data: {
          id: items[0]?.id,
          networkMessageId: hello.networkMessageId,
          conversationId,
          from: `${ada}@c.us`,
          to: `${ownNumber}@c.us`,
          body: 'Hello',
          type: 'text',
          hasMedia: false,
          timestamp: hello.sentAt,
        },
      }),
    ]);
    expect(await conversations()).toMatchObject({
      total: 1,
      nextCursor: null,
      items: [
        {
          id: conversationId,
          profileId,
          jid: `${ada}@c.us`,
          type: 'user',
          name: 'Ada',
          unreadCount: 1,
          lastMessage: items[0],
        },
      ],
    });
  });

  it('is stored and told once, however often the network delivers it', async () => {
    const hello = arrived(profileId, ada, 'Hello');
    await arrive(hello);
    await arrive(hello);
    await arrive({ ...hello, delivery: 'replayed', sentAt: new Date(0).toISOString() });
    expect((await ofProfile()).items).toHaveLength(1);
    expect(await told()).toHaveLength(1);
    expect((await conversations()).items).toMatchObject([{ unreadCount: 1 }]);
  });

  it('is another one when another contact chose the same network id', async () => {
    const hello = arrived(profileId, ada, 'Hello');
    await arrive(hello);
    await arrive(arrived(profileId, '4915100000001', 'Me too', { networkMessageId: hello.networkMessageId }));
    expect(await told()).toHaveLength(2);
  });

  it('is marked when it was missed while away', async () => {
    await arrive(arrived(profileId, ada, 'Hello', { delivery: 'replayed' }));
    expect(await told()).toMatchObject([{ data: { replayed: true } }]);
  });

  it('is stored silently when it is history', async () => {
    await arrive(arrived(profileId, ada, 'Long ago', { delivery: 'history', sentAt: '2020-05-01T10:00:00.000Z' }));
    expect(texts(await ofProfile())).toEqual(['Long ago']);
    expect(await told()).toEqual([]);
    expect((await conversations()).items).toMatchObject([
      { unreadCount: 0, lastMessageAt: '2020-05-01T10:00:00.000Z' },
    ]);
  });

  it('names the message that it quotes', async () => {
    const question = accepted(profileId, `${ada}@c.us`, 'How are you?');
    await service.emit(MessageAccepted, question, about());
    await arrive(arrived(profileId, ada, 'Fine', { quotedNetworkMessageId: question.networkMessageId }));
    expect((await ofProfile()).items[0]).toMatchObject({ quotedMessageId: question.messageId });
    expect(await told()).toMatchObject([{ data: { quotedMessageId: question.messageId } }]);
  });

  it('names its author in a group', async () => {
    const group = '120363000000000001@g.us';
    await arrive(arrived(profileId, ada, 'Hello all', { chat: { jid: group } }));
    expect((await ofProfile()).items).toMatchObject([{ from: group, author: `${ada}@c.us` }]);
    expect(await told()).toMatchObject([{ data: { from: group, author: `${ada}@c.us` } }]);
    expect((await conversations({ type: 'group' })).items).toMatchObject([{ jid: group, type: 'group', name: null }]);
    expect((await conversations({ type: 'user' })).items).toEqual([]);
  });
});

describe('a message written on the phone', () => {
  it('is stored as outgoing and told as sent', async () => {
    await arrive(arrived(profileId, ada, 'From my phone', { fromMe: true, author: { jid: `${ownNumber}@c.us` } }));
    const [stored] = (await ofProfile()).items;
    expect(stored).toMatchObject({
      direction: 'outgoing',
      status: 'sent',
      from: `${ownNumber}@c.us`,
      to: `${ada}@c.us`,
    });
    const events = (await service.published(MessageSent)).filter((event) => event.profileId === profileId);
    expect(events).toMatchObject([
      { data: { messageId: stored?.id, to: `${ada}@c.us`, type: 'text', origin: 'phone' } },
    ]);
    expect((await conversations()).items).toMatchObject([{ unreadCount: 0 }]);
  });

  it('is none that the gateway sent itself', async () => {
    const text = accepted(profileId, `${ada}@c.us`, 'Hello');
    await service.emit(MessageAccepted, text, about());
    await arrive(arrived(profileId, ada, 'Hello', { fromMe: true, networkMessageId: text.networkMessageId }));
    expect((await ofProfile()).items).toHaveLength(1);
  });
});

describe('a person known by phone and by LID', () => {
  const lid = '100000000000001@lid';
  const byLid = { jid: lid, lid };
  const byBoth = { jid: `${ada}@c.us`, phone: ada, lid };

  it('has one conversation: the older id survives, the other leads to it', async () => {
    await arrive(arrived(profileId, ada, 'one', { chat: byLid, author: byLid }));
    const text = accepted(profileId, `${ada}@c.us`, 'two');
    await service.emit(MessageAccepted, text, about());
    expect((await conversations()).total).toBe(2);
    await arrive(arrived(profileId, ada, 'three', { chat: byBoth, author: byBoth }));
    const older = conversationIdOf(profileId, lid);
    const { items, total } = await conversations();
    expect([total, items]).toMatchObject([1, [{ id: older, jid: `${ada}@c.us`, unreadCount: 2 }]]);
    for (const id of [older, text.conversationId]) {
      expect((await service.call(GetConversation, { caller, params: { id } })).body).toMatchObject({ id: older });
      const list = (await service.call(ListConversationMessages, { caller, params: { conversationId: id } }))
        .body as Page<Message>;
      expect(texts(list)).toEqual(['three', 'two', 'one']);
      expect(new Set(list.items.map((item) => item.conversationId))).toEqual(new Set([older]));
    }
    await service.emit(MessageAccepted, accepted(profileId, `${ada}@c.us`, 'four'), about());
    expect((await conversations()).items).toMatchObject([{ id: older, lastMessage: { content: { text: 'four' } } }]);
  });

  it('sends the same message once under either name', async () => {
    const hello = arrived(profileId, ada, 'Hello', { chat: byBoth, author: byBoth });
    await arrive(hello);
    await arrive({ ...hello, chat: byLid, author: byLid });
    expect(await told()).toHaveLength(1);
  });
});

describe('lists', () => {
  it('go page by page, newest first', async () => {
    for (const text of ['one', 'two', 'three', 'four', 'five']) await arrive(arrived(profileId, ada, text));
    const first = await ofProfile({ limit: 2 });
    const second = await ofProfile({ limit: 2, cursor: first.nextCursor });
    const third = await ofProfile({ limit: 2, cursor: second.nextCursor });
    expect([first, second, third].map(texts)).toEqual([['five', 'four'], ['three', 'two'], ['one']]);
    expect(third.nextCursor).toBeNull();
    const id = conversationIdOf(profileId, `${ada}@c.us`);
    const same = (await service.call(ListMessagesOfConversation, { caller, params: { id }, query: { limit: 3 } }))
      .body as Page<Message>;
    expect(texts(same)).toEqual(['five', 'four', 'three']);
  });

  it('put the conversation with the newest message first', async () => {
    for (const phone of ['4915100000001', '4915100000002', '4915100000001'])
      await arrive(arrived(profileId, phone, 'Hello'));
    const first = await conversations({ limit: 1 });
    const second = await conversations({ limit: 1, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map((item) => item.jid)).toEqual([
      '4915100000001@c.us',
      '4915100000002@c.us',
    ]);
    expect([first.total, second.nextCursor]).toEqual([2, null]);
  });

  it('filter conversations by name, number, unread messages and profile', async () => {
    await arrive(arrived(profileId, '4915100000001', 'Hello', { pushName: 'Grace 100%' }));
    await service.emit(MessageAccepted, accepted(profileId, '4915100000002@c.us', 'Hello'), about());
    const jids = async (query: object) => (await conversations(query)).items.map((item) => item.jid);
    expect(await jids({ search: 'grace' })).toEqual(['4915100000001@c.us']);
    expect(await jids({ search: '0%' })).toEqual(['4915100000001@c.us']);
    expect(await jids({ search: '0000002' })).toEqual(['4915100000002@c.us']);
    expect(await jids({ search: '%' })).toEqual(['4915100000001@c.us']);
    expect(await jids({ unread: true })).toEqual(['4915100000001@c.us']);
    expect(await jids({ unread: false })).toEqual(['4915100000002@c.us']);
    expect(await jids({ archived: true })).toEqual([]);
    expect(await jids({ profileId: v7() })).toEqual([]);
  });

  it('answer 400 to a cursor that is none', async () => {
    await expect(ofProfile({ cursor: 'x' })).rejects.toEqual(refusal('VALIDATION_ERROR'));
  });
});

describe('reading a conversation', () => {
  it('counts it as read and sends receipts', async () => {
    const messages = [arrived(profileId, ada, 'one'), arrived(profileId, ada, 'two')];
    for (const one of messages) await arrive(one);
    const id = conversationIdOf(profileId, `${ada}@c.us`);
    const unread = async () => (await service.call(GetUnreadCount, { caller })).body;
    expect(await unread()).toEqual({ count: 2 });
    const read = () => service.call(ReadConversation, { caller, params: { id } });
    expect((await read()).body).toMatchObject({ id, unreadCount: 0 });
    expect(await unread()).toEqual({ count: 0 });
    await read();
    const ids = messages.map(({ networkMessageId }) => ({ networkMessageId }));
    expect(receipts).toEqual([{ chat: `${ada}@c.us`, messages: ids.toReversed() }]);
    await arrive(arrived(profileId, ada, 'three'));
    expect(await unread()).toEqual({ count: 1 });
  });
});

describe('a message for a quotation', () => {
  it('is found as the network names it', async () => {
    const hello = arrived(profileId, ada, 'Hello');
    await arrive(hello);
    const id = (await ofProfile()).items[0]?.id as string;
    const { organizationId } = caller;
    expect(await service.ask(FindMessage, { organizationId, messageId: id })).toEqual({
      messageId: id,
      profileId,
      networkMessageId: hello.networkMessageId,
      chat: `${ada}@c.us`,
      author: `${ada}@c.us`,
      fromMe: false,
      text: 'Hello',
    });
    await expect(service.ask(FindMessage, { organizationId: v7(), messageId: id })).rejects.toEqual(
      refusal('NOT_FOUND'),
    );
  });
});

describe('another organization', () => {
  it('sees nothing', async () => {
    await arrive(arrived(profileId, ada, 'Hello'));
    const stranger = testCaller();
    const id = conversationIdOf(profileId, `${ada}@c.us`);
    const messageId = (await ofProfile()).items[0]?.id as string;
    const attempts = [
      message(messageId, stranger),
      ofProfile({}, stranger),
      service.call(ListConversationMessages, { caller: stranger, params: { conversationId: id } }),
      service.call(GetConversation, { caller: stranger, params: { id } }),
      service.call(ReadConversation, { caller: stranger, params: { id } }),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toEqual(refusal('NOT_FOUND'));
    expect(await conversations({}, stranger)).toEqual({ items: [], nextCursor: null, total: 0 });
    expect((await service.call(GetUnreadCount, { caller: stranger })).body).toEqual({ count: 0 });
  });
});

describe('an API key limited to other profiles', () => {
  it('is refused, and its lists leave the others out', async () => {
    await arrive(arrived(profileId, ada, 'Hello'));
    const id = conversationIdOf(profileId, `${ada}@c.us`);
    const messageId = (await ofProfile()).items[0]?.id as string;
    const limited = { ...caller, apiKeyId: v7(), profileIds: [v7()] };
    const attempts = [
      message(messageId, limited),
      ofProfile({}, limited),
      conversations({ profileId }, limited),
      service.call(GetConversation, { caller: limited, params: { id } }),
      service.call(ReadConversation, { caller: limited, params: { id } }),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toEqual(refusal('FORBIDDEN'));
    expect((await conversations({}, limited)).items).toEqual([]);
    expect((await service.call(GetUnreadCount, { caller: limited })).body).toEqual({ count: 0 });
  });
});

describe('storage', () => {
  it('holds no text and no number in the journal in the clear', async () => {
    await arrive(arrived(profileId, '4915100007777', 'a very private text'));
    const rows = await service.sql.query('SELECT stream, data, metadata FROM events');
    expect(JSON.stringify(rows)).not.toMatch(/a very private text|4915100007777/);
    const once = await service.sql.query('SELECT key FROM once');
    expect(JSON.stringify(once)).not.toContain('4915100007777');
  });

  it('puts messages into the partition of their month', async () => {
    await arrive(arrived(profileId, ada, 'Hello'));
    await arrive(arrived(profileId, ada, 'Long ago', { delivery: 'history', sentAt: '2019-05-01T10:00:00.000Z' }));
    const rows = await service.sql.query<{ part: string }>(
      'SELECT tableoid::regclass::text AS part FROM messages WHERE profile_id = $1 ORDER BY id',
      [profileId],
    );
    expect(rows.map(({ part }) => part)).toEqual([
      expect.stringMatching(/messages_rest$/),
      expect.stringMatching(/messages_20\d\d_\d\d$/),
    ]);
  });

  it('is the same after a restart', async () => {
    await arrive(arrived(profileId, ada, 'Hello'));
    const before = await conversations();
    await service.restart();
    expect(await conversations()).toEqual(before);
  });
});
