import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  FindMessage,
  GetConversation,
  GetUnreadCount,
  ListConversationMessages,
  ReadConversation,
  conversationIdOf,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { arrived } from './facts.fixture.ts';
import { InboxFixture, ada } from './inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const refusal = (code: string) => expect.objectContaining({ code });

describe('another organization', () => {
  it('sees nothing', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello'));
    const stranger = testCaller();
    const id = conversationIdOf(fixture.profileId, `${ada}@c.us`);
    const messageId = (await fixture.ofProfile()).items[0]?.id as string;
    const attempts = [
      fixture.message(messageId, stranger),
      fixture.ofProfile({}, stranger),
      fixture.service.call(ListConversationMessages, { caller: stranger, params: { conversationId: id } }),
      fixture.service.call(GetConversation, { caller: stranger, params: { id } }),
      fixture.service.call(ReadConversation, { caller: stranger, params: { id } }),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toEqual(refusal('NOT_FOUND'));
    expect(await fixture.conversations({}, stranger)).toEqual({ items: [], nextCursor: null, total: 0 });
    expect((await fixture.service.call(GetUnreadCount, { caller: stranger })).body).toEqual({ count: 0 });
  });
});

describe('an API key limited to other profiles', () => {
  it('is refused, and its lists leave the others out', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello'));
    const id = conversationIdOf(fixture.profileId, `${ada}@c.us`);
    const messageId = (await fixture.ofProfile()).items[0]?.id as string;
    const limited = { ...fixture.caller, apiKeyId: v7(), profileIds: [v7()] };
    const attempts = [
      fixture.message(messageId, limited),
      fixture.ofProfile({}, limited),
      fixture.conversations({ profileId: fixture.profileId }, limited),
      fixture.service.call(GetConversation, { caller: limited, params: { id } }),
      fixture.service.call(ReadConversation, { caller: limited, params: { id } }),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toEqual(refusal('FORBIDDEN'));
    expect((await fixture.conversations({}, limited)).items).toEqual([]);
    expect((await fixture.service.call(GetUnreadCount, { caller: limited })).body).toEqual({ count: 0 });
  });
});

describe('a message for a quotation', () => {
  it('is found as the network names it', async () => {
    const hello = arrived(fixture.profileId, ada, 'Hello');
    await fixture.arrive(hello);
    const id = (await fixture.ofProfile()).items[0]?.id as string;
    const { organizationId } = fixture.caller;
    expect(await fixture.service.ask(FindMessage, { organizationId, messageId: id })).toEqual({
      messageId: id,
      profileId: fixture.profileId,
      networkMessageId: hello.networkMessageId,
      chat: `${ada}@c.us`,
      author: `${ada}@c.us`,
      fromMe: false,
      sentAt: hello.sentAt,
      text: 'Hello',
      type: 'text',
    });
    await expect(fixture.service.ask(FindMessage, { organizationId: v7(), messageId: id })).rejects.toEqual(
      refusal('NOT_FOUND'),
    );
  });

  it('belongs to its chat by every address of that, and in private to the member of a group who wrote it', async () => {
    const lid = '100000000000042@lid';
    const both = { jid: `${ada}@c.us`, phone: ada, lid };
    const group = '120363000000000001@g.us';
    const content = { type: 'audio' as const, content: { ptt: true, media: { mimetype: 'audio/ogg', size: 68 } } };
    await fixture.arrive(arrived(fixture.profileId, ada, '', { content, chat: both, author: both }));
    await fixture.arrive(arrived(fixture.profileId, ada, 'All', { chat: { jid: group }, author: both }));
    const [inGroup, alone] = (await fixture.ofProfile()).items.map(({ id }) => id);
    const { organizationId } = fixture.caller;
    const quotable = async (messageId = '', quotedIn = '') =>
      (await fixture.service.ask(FindMessage, { organizationId, messageId, quotedIn })).quotable;
    expect(await quotable(alone, `${ada}@c.us`)).toBe('same-chat');
    expect(await quotable(alone, lid)).toBe('same-chat');
    expect(await quotable(alone, '4915112345679@c.us')).toBe('other-chat');
    expect(await quotable(alone, group)).toBe('other-chat');
    expect(await quotable(inGroup, group)).toBe('same-chat');
    expect(await quotable(inGroup, lid)).toBe('to-author');
    expect(await quotable(inGroup, '4915112345679@c.us')).toBe('other-chat');
    expect(await fixture.service.ask(FindMessage, { organizationId, messageId: alone ?? '' })).toMatchObject({
      type: 'audio',
      ptt: true,
      mimetype: 'audio/ogg',
    });
  });
});
