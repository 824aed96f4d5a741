import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ListMessagesOfConversation, conversationIdOf, type Page } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { arrived, edited, incoming, picture, revoked } from '../facts.fixture.ts';
import { InboxFixture, ada, textsOf, type Message } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const grace = '4915100000009';
const come = async (text: string, phone = ada) => {
  const message = arrived(fixture.profileId, phone, text);
  await fixture.arrive(message);
  return message.networkMessageId;
};
const found = async (search: string, query: object = {}) => textsOf(await fixture.ofProfile({ search, ...query }));

describe('a search', () => {
  it('finds messages that hold all words, newest first, the last one by its beginning', async () => {
    for (const text of ['The ship has sailed', 'A ship, a harbour', 'Shipping news', 'nothing']) await come(text);
    expect(await found('ship')).toEqual(['Shipping news', 'A ship, a harbour', 'The ship has sailed']);
    expect(await found('harb SHIP')).toEqual([]);
    expect(await found('SHIP harb')).toEqual(['A ship, a harbour']);
    expect(await found('%')).toEqual([]);
    expect(await found("o'clock & | ! <-> :* ( )")).toEqual([]);
    expect(await found('🙂')).toEqual([]);
    expect(await found('ship\0')).toEqual([]);
  });

  it('goes page by page', async () => {
    for (const text of ['ship 1', 'ship 2', 'ship 3']) await come(text);
    const first = await fixture.ofProfile({ search: 'ship', limit: 2 });
    const second = await fixture.ofProfile({ search: 'ship', limit: 2, cursor: first.nextCursor });
    expect([textsOf(first), textsOf(second), second.nextCursor]).toEqual([['ship 3', 'ship 2'], ['ship 1'], null]);
  });

  it('looks into captions and into what was edited, not into what was deleted', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, '', { content: picture }));
    expect(await found('harbour')).toHaveLength(1);
    const id = await come('before');
    await fixture.change(incoming(id), edited('after'));
    expect([await found('before'), await found('after')]).toEqual([[], ['after']]);
    await fixture.change(incoming(id), revoked);
    expect(await found('after')).toEqual([]);
  });

  it('stays within the conversation, under all its names', async () => {
    const lid = '100000000000077@lid';
    const byLid = { jid: lid, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'ship by LID', { chat: byLid, author: byLid }));
    const byBoth = { jid: `${ada}@c.us`, phone: ada, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'ship by both', { chat: byBoth, author: byBoth }));
    await come('ship of another', grace);
    for (const id of [lid, `${ada}@c.us`].map((jid) => conversationIdOf(fixture.profileId, jid))) {
      const options = { caller: fixture.caller, params: { id }, query: { search: 'ship' } };
      const { body } = await fixture.service.call(ListMessagesOfConversation, options);
      expect(textsOf(body as Page<Message>)).toEqual(['ship by both', 'ship by LID']);
    }
  });

  it('never finds what belongs to somebody else', async () => {
    await come('ship');
    await expect(fixture.ofProfile({ search: 'ship' }, testCaller())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    fixture.renew();
    expect(await found('ship')).toEqual([]);
  });

  it('needs words', async () => {
    await expect(fixture.ofProfile({ search: '' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [expect.objectContaining({ path: 'query.search' })],
    });
  });
});
