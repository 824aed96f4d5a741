import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ConversationHandover,
  DeleteContact,
  DescribePerson,
  GetUnreadCount,
  ListContacts,
  ListConversationMessages,
  ReadConversation,
  ResumeConversation,
  SessionMessage,
  conversationIdOf,
  type Page,
} from '@messaging-gateway/contracts';
import { arrived, incoming, reacted } from './facts.fixture.ts';
import { InboxFixture, ada, textsOf, type Message } from './inbox.fixture.ts';

const texts = Array.from({ length: 30 }, (_, index) => `text ${index}`);

describe.each(['one', 'all'] as const)('two replicas of the inbox, each event to %s of them', (division) => {
  let fixture: InboxFixture;
  beforeAll(async () => {
    fixture = await InboxFixture.start({ replicas: 2, division });
  });
  beforeEach(() => fixture.renew());
  afterAll(() => fixture.service.stop());

  const unread = async (): Promise<unknown> =>
    (await fixture.service.call(GetUnreadCount, { caller: fixture.caller })).body;

  it('store each message once, and count it once', async () => {
    const facts = texts.map((text) => arrived(fixture.profileId, ada, text));
    await Promise.all([...facts, ...facts].map((fact) => fixture.arrive(fact)));
    for (let look = 0; look < 2; look++) {
      expect(new Set(textsOf(await fixture.ofProfile({ limit: 200 })))).toEqual(new Set(texts));
      expect(await unread()).toEqual({ count: texts.length });
    }
    expect(await fixture.told()).toHaveLength(texts.length);
  });

  it('keep the order in which a profile’s messages came', async () => {
    for (const text of texts) await fixture.arrive(arrived(fixture.profileId, ada, text));
    expect(textsOf(await fixture.ofProfile({ limit: 200 }))).toEqual(texts.toReversed());
    const told = (await fixture.told()).map(({ data }) => data.body);
    expect(told).toEqual(texts);
  });

  it('make a change that one of them kept when the other one stores its message', async () => {
    const messages = texts.map((text) => arrived(fixture.profileId, ada, text));
    await Promise.all(
      messages.flatMap((message) => [
        fixture.change(incoming(message.networkMessageId), reacted('👍')),
        fixture.arrive(message),
      ]),
    );
    const { items } = await fixture.ofProfile({ limit: 200 });
    expect(items.map(({ reactions }) => reactions?.length)).toEqual(messages.map(() => 1));
  });

  it('leave a chat to a human, whichever of them hears it and is asked', async () => {
    const own = { fromMe: true, pushName: null };
    const facts = texts.map((text) => arrived(fixture.profileId, ada, text, own));
    await Promise.all([...facts, ...facts].map((fact) => fixture.arrive(fact)));
    const latest = facts.map(({ sentAt }) => Date.parse(sentAt)).toSorted((one, other) => other - one)[0] ?? 0;
    const until = new Date(latest + 3_600_000).toISOString();
    const { caller, profileId } = fixture;
    const params = { id: conversationIdOf(profileId, `${ada}@c.us`) };
    const asked = { ...fixture.about(), jid: `${ada}@c.us` };
    for (let look = 0; look < 2; look++) {
      expect((await fixture.conversations()).items).toMatchObject([{ handoverUntil: until }]);
      expect(await fixture.service.ask(DescribePerson, asked)).toMatchObject({ handoverUntil: until });
    }
    const resume = () => fixture.service.call(ResumeConversation, { caller, params });
    await Promise.all([resume(), resume(), resume()]);
    expect((await fixture.conversations()).items).toMatchObject([{ handoverUntil: null }]);
    expect((await fixture.toldAs(ConversationHandover)).filter(({ data }) => data.until === null)).toHaveLength(1);
  });

  it('count a conversation down once when it is read on both', async () => {
    await Promise.all(texts.map((text) => fixture.arrive(arrived(fixture.profileId, ada, text))));
    const params = { id: conversationIdOf(fixture.profileId, `${ada}@c.us`) };
    const read = () => fixture.service.call(ReadConversation, { caller: fixture.caller, params });
    await Promise.all([read(), read(), fixture.arrive(arrived(fixture.profileId, ada, 'one more')), read(), read()]);
    await read();
    expect(await unread()).toEqual({ count: 0 });
    await fixture.arrive(arrived(fixture.profileId, ada, 'after'));
    expect(await unread()).toEqual({ count: 1 });
  });

  it('lose nothing when one of them stops in the middle', async () => {
    const facts = Promise.all(
      texts.map((text) => fixture.service.emit(SessionMessage, arrived(fixture.profileId, ada, text), fixture.about())),
    );
    await fixture.service.stopReplica(1);
    await facts;
    expect(new Set(textsOf(await fixture.ofProfile({ limit: 200 })))).toEqual(new Set(texts));
    await fixture.service.restart();
  });
});

describe('two replicas of the inbox between which a profile moves', () => {
  let fixture: InboxFixture;
  beforeAll(async () => {
    fixture = await InboxFixture.start({ replicas: 2, division: 'turns' });
  });
  beforeEach(() => fixture.renew());
  afterAll(() => fixture.service.stop());

  it('make a contact anew when the person writes right after it was deleted on either of them', async () => {
    const { profileId, caller, service } = fixture;
    const write = (text: string) => fixture.arrive(arrived(profileId, ada, text));
    const contacts = async () => (await service.call(ListContacts, { caller })).body as Page<{ id: string }>;
    for (const text of ['one', 'two']) await write(text);
    for (let turn = 0; turn < 6; turn++) {
      const [contact] = (await contacts()).items;
      await service.call(DeleteContact, { caller, params: { id: contact?.id ?? '' } });
      expect(await contacts()).toMatchObject({ total: 0 });
      await write(`again ${turn}`);
      expect(await contacts()).toMatchObject({ items: [{ phone: ada }], total: 1 });
      if (turn % 2 === 1) await write('so that it is the turn of the other one');
    }
  });

  it('agree on the conversation of a person whose phone and LID one of them has joined', async () => {
    const { profileId, caller, service } = fixture;
    const byLid = { jid: '987654@lid' };
    const byBoth = { ...byLid, phone: ada };
    const lidOnly = { chat: byLid, author: byLid };
    // Both replicas have seen both names apart.
    for (const text of ['phone 1', 'phone 2']) await fixture.arrive(arrived(profileId, ada, text));
    for (const text of ['lid 1', 'lid 2']) await fixture.arrive(arrived(profileId, ada, text, lidOnly));
    expect((await fixture.conversations()).total).toBe(2);
    await fixture.arrive(arrived(profileId, ada, 'joined', { chat: byBoth, author: byBoth }));
    await fixture.arrive(arrived(profileId, ada, 'phone 3')); // so that the LID is the other replica's turn
    service.clock.advance(10_001);
    for (const text of ['twice 1', 'twice 2', 'twice 3']) {
      const message = arrived(profileId, ada, text);
      await fixture.arrive(message);
      await fixture.arrive({ ...message, ...lidOnly });
    }
    const { items } = await fixture.conversations();
    expect(items.map(({ unreadCount }) => unreadCount)).toEqual([9]);
    const params = { conversationId: conversationIdOf(profileId, `${ada}@c.us`) };
    const inOrder = ['phone 1', 'phone 2', 'lid 1', 'lid 2', 'joined', 'phone 3', 'twice 1', 'twice 2', 'twice 3'];
    for (let look = 0; look < 2; look++) {
      const { body } = await service.call(ListConversationMessages, { caller, params, query: { limit: 50 } });
      expect(textsOf(body as Page<Message>).toReversed()).toEqual(inOrder);
    }
  });

  it('join the names of many people at the same moment, each once', async () => {
    const people = Array.from({ length: 20 }, (_, n) => ({
      phone: `49151${20_000_000 + n}`,
      lid: `${500_000 + n}@lid`,
    }));
    const { profileId } = fixture;
    const told = people.flatMap(({ phone, lid }) => {
      const byBoth = { jid: lid, phone, lid };
      return [{ jid: lid }, byBoth, { jid: `${phone}@c.us`, phone }, byBoth].map((name) =>
        fixture.arrive(arrived(profileId, phone, 'Hello', { chat: name, author: name })),
      );
    });
    await Promise.all(told);
    const { items, total } = await fixture.conversations({ limit: 100 });
    expect([total, items.map(({ unreadCount }) => unreadCount)]).toEqual([20, people.map(() => 4)]);
    const aliases = await fixture.service.sql.query(
      'SELECT id FROM conversation_aliases a WHERE EXISTS (SELECT FROM conversation_aliases b WHERE b.id = a.conversation_id)',
    );
    expect(aliases).toEqual([]);
  });
});
