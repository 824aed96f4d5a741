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
    });
    await expect(fixture.service.ask(FindMessage, { organizationId: v7(), messageId: id })).rejects.toEqual(
      refusal('NOT_FOUND'),
    );
  });
});
