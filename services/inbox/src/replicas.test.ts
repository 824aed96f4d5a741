import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  GetConversation,
  GetUnreadCount,
  ListConversationMessages,
  MessageAccepted,
  ReadConversation,
  SessionMessage,
  conversationIdOf,
  type Page,
} from '@messaging-gateway/contracts';
import { accepted, arrived } from './facts.fixture.ts';
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

  it('agree on the conversation of a person whose phone and LID one of them has joined', async () => {
    const { profileId, caller, service } = fixture;
    const lid = '987654@lid';
    const byLid = { jid: lid };
    const both = { jid: lid, phone: ada };
    // Both replicas have seen both names apart.
    for (let n = 0; n < 4; n++) {
      await fixture.arrive(arrived(profileId, ada, `phone ${n}`));
      await fixture.arrive(arrived(profileId, ada, `lid ${n}`, { chat: byLid, author: byLid }));
    }
    await service.emit(MessageAccepted, accepted(profileId, `${ada}@c.us`, 'out'), fixture.about());
    await fixture.arrive(arrived(profileId, ada, 'joined', { chat: both, author: both }));
    service.clock.advance(10_001);
    const twice = arrived(profileId, ada, 'told under both names');
    await fixture.arrive(twice);
    await fixture.arrive({ ...twice, chat: byLid, author: byLid });
    const params = { id: conversationIdOf(profileId, `${ada}@c.us`) };
    for (let look = 0; look < 2; look++) {
      const { items } = await fixture.conversations();
      expect(items.map(({ unreadCount, type }) => [unreadCount, type])).toEqual([[10, 'user']]);
      const listed = await service.call(ListConversationMessages, {
        caller,
        params: { conversationId: params.id },
        query: { limit: 50 },
      });
      expect(textsOf(listed.body as Page<Message>).filter((text) => text === 'told under both names')).toHaveLength(1);
      expect((await service.call(GetConversation, { caller, params })).body).toMatchObject({ unreadCount: 10 });
    }
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
