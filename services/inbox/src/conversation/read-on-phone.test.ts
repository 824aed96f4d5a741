import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ConversationRead,
  ConversationUpdated,
  MessageAccepted,
  ReadConversation,
  SessionChatMarked,
  type DataOf,
} from '@messaging-gateway/contracts';
import { accepted, arrived, type Arrived } from '../facts.fixture.ts';
import { InboxFixture, ada } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const chat = { jid: `${ada}@c.us`, phone: ada, lid: '100000000000001@lid' };
type Marked = DataOf<typeof SessionChatMarked>;

/** The owner marks the chat with Ada on the phone. */
async function mark(differences: Partial<Marked>): Promise<void> {
  const at = new Date().toISOString();
  const fact = { profileId: fixture.profileId, chat, mark: 'read', at, ...differences } as const;
  await fixture.service.emit(SessionChatMarked, fact, fixture.about());
}

async function come(text: string, differences: Partial<Arrived> = {}): Promise<string> {
  const message = arrived(fixture.profileId, ada, text, { chat, author: chat, ...differences });
  await fixture.arrive(message);
  return message.networkMessageId;
}

const conversation = async () => (await fixture.conversations()).items[0];
const unread = async () => (await conversation())?.unreadCount;
const readEvents = async () => (await fixture.toldAs(ConversationRead)).map(({ data }) => data);

describe('a conversation', () => {
  it('that is read on the phone has no unread messages, and is published as read once', async () => {
    const ids = [await come('one'), await come('two')];
    expect(await unread()).toBe(2);
    await mark({ networkMessageIds: ids });
    expect(await unread()).toBe(0);
    await mark({ networkMessageIds: ids });
    expect(await readEvents()).toEqual([{ conversationId: (await conversation())?.id }]);
    expect(fixture.receipts).toEqual([]);
    await come('three');
    expect(await unread()).toBe(1);
  });

  it('that is read in part keeps the newer messages unread', async () => {
    const [first] = [await come('one'), await come('two')];
    await mark({ networkMessageIds: [first] });
    expect(await unread()).toBe(1);
    expect(await readEvents()).toEqual([]);
  });

  it('is read also when the phone was faster than the message', async () => {
    const message = arrived(fixture.profileId, ada, 'Hello', { chat, author: chat });
    await mark({ networkMessageIds: [message.networkMessageId] });
    expect(await readEvents()).toEqual([]);
    await fixture.arrive(message);
    expect(await unread()).toBe(0);
    expect(await readEvents()).toHaveLength(1);
    await come('later');
    expect(await unread()).toBe(1);
  });

  it('that the owner answers on the phone is read', async () => {
    await come('one');
    await fixture.arrive(arrived(fixture.profileId, ada, 'Mine', { chat, author: chat, fromMe: true, pushName: null }));
    expect(await unread()).toBe(0);
    expect(await readEvents()).toHaveLength(1);
  });

  it('is not read by an older message of the owner that history brings', async () => {
    await come('one');
    const mine = { chat, author: chat, fromMe: true, pushName: null, delivery: 'history' } as const;
    await fixture.arrive(arrived(fixture.profileId, ada, 'Mine', { ...mine, sentAt: '2020-01-01T00:00:00.000Z' }));
    expect(await unread()).toBe(1);
  });

  it('that is answered through the API is read, without an event of the phone and without receipts', async () => {
    await come('one');
    await fixture.service.emit(MessageAccepted, accepted(fixture.profileId, `${ada}@c.us`, 'Hi'), fixture.about());
    expect(await unread()).toBe(0);
    expect(await readEvents()).toEqual([]);
    expect((await fixture.toldAs(ConversationUpdated)).map(({ data }) => data.change)).toContain('read');
    expect(fixture.receipts).toEqual([]);
  });

  it('that was answered sends its read receipts when it is marked as read, once', async () => {
    const first = await come('one');
    await fixture.service.emit(MessageAccepted, accepted(fixture.profileId, `${ada}@c.us`, 'Hi'), fixture.about());
    const second = await come('two');
    const { id = '' } = (await conversation()) ?? {};
    for (let time = 0; time < 2; time += 1)
      await fixture.service.call(ReadConversation, { caller: fixture.caller, params: { id } });
    expect(fixture.receipts.map(({ messages }) => messages.map((one) => one.networkMessageId))).toEqual([
      [second, first],
    ]);
  });

  it.each(['bulk', 'broadcast', 'automation', 'schedule'] as const)(
    'is not read by a message of %s',
    async (origin) => {
      await come('one');
      const message = { ...accepted(fixture.profileId, `${ada}@c.us`, 'Hi'), origin };
      await fixture.service.emit(MessageAccepted, message, fixture.about());
      expect(await unread()).toBe(1);
    },
  );

  it('of a group is read on the phone', async () => {
    const group = { jid: '120363000000000009@g.us' };
    const id = await come('one', { chat: group });
    await mark({ chat: group, networkMessageIds: [id] });
    expect(await unread()).toBe(0);
  });

  it('has the marks of the phone: unread, read, archived, pinned, muted', async () => {
    await come('one');
    await mark({});
    expect(await unread()).toBe(0);
    await mark({ mark: 'unread' });
    await mark({ mark: 'unread' });
    expect(await unread()).toBe(1);
    await mark({});
    const until = '2099-01-01T00:00:00.000Z';
    await mark({ mark: 'archived' });
    await mark({ mark: 'pinned' });
    await mark({ mark: 'muted', until });
    expect(await conversation()).toMatchObject({ unreadCount: 0, archived: true, pinned: true, mutedUntil: until });
    await mark({ mark: 'unarchived' });
    await mark({ mark: 'unpinned' });
    await mark({ mark: 'unmuted' });
    expect(await conversation()).toMatchObject({ archived: false, pinned: false, muted: false });
    expect(await readEvents()).toHaveLength(2);
  });
});
