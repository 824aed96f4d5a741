import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { conversationIdOf, GetUnreadCount, MarkMessagesRead, type Caller } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { arrived } from '../facts.fixture.ts';
import { ada, InboxFixture } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
beforeEach(() => fixture.renew());
afterAll(() => fixture.service.stop());

const mark = (body: object, caller: Caller = fixture.caller) =>
  fixture.service.call(MarkMessagesRead, { caller, body: { profileId: fixture.profileId, chatId: ada, ...body } });
const unread = async () => (await fixture.service.call(GetUnreadCount, { caller: fixture.caller })).body;
/** Three messages of Ada's, oldest first: ids here, and on the network. */
const three = async () => {
  const facts = ['one', 'two', 'three'].map((text) => arrived(fixture.profileId, ada, text));
  for (const fact of facts) await fixture.arrive(fact);
  const { items } = await fixture.ofProfile();
  return items.toReversed().map(({ id, networkMessageId }) => ({ id, networkMessageId }));
};

describe('marking messages read', () => {
  it('sends receipts for the whole chat, once', async () => {
    const all = await three();
    const networkIds = all.map(({ networkMessageId }) => ({ networkMessageId })).toReversed();
    expect((await mark({ chatId: `+${ada}` })).body).toEqual({
      chatId: `${ada}@c.us`,
      messageIds: all.map(({ id }) => id).toReversed(),
    });
    expect(fixture.receipts).toEqual([{ chat: `${ada}@c.us`, messages: networkIds }]);
    expect(await unread()).toEqual({ count: 0 });
    expect((await mark({})).body).toMatchObject({ messageIds: [] });
    expect(fixture.receipts).toHaveLength(1);
  });

  it('sends receipts for the messages named; what is older is read with them', async () => {
    const [, two, last] = await three();
    for (const expected of [1, 1]) {
      expect((await mark({ messageIds: [two?.id] })).body).toEqual({ chatId: `${ada}@c.us`, messageIds: [two?.id] });
      expect(await unread()).toEqual({ count: expected });
    }
    await mark({ messageIds: [last?.id] });
    expect(await unread()).toEqual({ count: 0 });
    const sent = (message: typeof two) => ({
      chat: `${ada}@c.us`,
      messages: [{ networkMessageId: message?.networkMessageId }],
    });
    expect(fixture.receipts).toEqual([sent(two), sent(two), sent(last)]);
  });

  it('takes the id of a conversation as well', async () => {
    const [one] = await three();
    const chatId = conversationIdOf(fixture.profileId, `${ada}@c.us`);
    expect((await mark({ chatId, messageIds: [one?.id] })).body).toEqual({
      chatId: `${ada}@c.us`,
      messageIds: [one?.id],
    });
    await expect(mark({ chatId, profileId: fixture.otherProfile() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(mark({ chatId: v7() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(mark({ chatId: 'Ada' })).rejects.toMatchObject({
      details: [{ path: 'body.chatId', message: expect.stringContaining("a conversation's id") }],
    });
    expect(await unread()).toEqual({ count: 2 });
  });

  it('knows only messages and chats of the caller', async () => {
    const [one] = await three();
    const refused = (code: string) => expect.objectContaining({ code });
    await expect(mark({ messageIds: [one?.id, v7()] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: [expect.objectContaining({ path: 'body.messageIds[1]' })],
    });
    await expect(mark({ chatId: '4915199999999' })).rejects.toEqual(refused('NOT_FOUND'));
    await expect(mark({}, testCaller())).rejects.toEqual(refused('NOT_FOUND'));
    await expect(mark({}, { ...fixture.caller, profileIds: [v7()] })).rejects.toEqual(refused('FORBIDDEN'));
    await expect(mark({ messageIds: [] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [expect.objectContaining({ path: 'body.messageIds' })],
    });
    expect(fixture.receipts).toEqual([]);
    expect(await unread()).toEqual({ count: 3 });
  });
});
