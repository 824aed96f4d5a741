import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConversationJoined, MessageAccepted, MessageSent, conversationIdOf } from '@messaging-gateway/contracts';
import { accepted, arrived, sent } from '../facts.fixture.ts';
import { InboxFixture, textsOf } from '../inbox.fixture.ts';

const requestedPhone = '5511987654321';
const returnedPhone = '551187654321';
const requestedTo = `${requestedPhone}@c.us`;
const to = `${returnedPhone}@c.us`;

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

/** A message that outbound accepts for the requested number, and sends to the form that the network returns. */
async function sendTo(text: string): Promise<string> {
  const message = accepted(fixture.profileId, requestedTo, text);
  await fixture.service.emit(MessageAccepted, message, fixture.about());
  const conversationId = conversationIdOf(fixture.profileId, to);
  await fixture.service.emit(MessageSent, { ...sent(message), to, requestedTo, conversationId }, fixture.about());
  return message.messageId;
}

describe('a number that the network returns in another form', () => {
  it('has the same conversation after the views are rebuilt', async () => {
    await sendTo('one');
    await fixture.arrive(arrived(fixture.profileId, returnedPhone, 'answer'));
    const before = (await fixture.conversations()).items;
    await fixture.service.rebuildViews();
    expect((await fixture.conversations()).items).toEqual(before);
  });

  it('has one conversation, under the returned form, with everything that is sent to either and comes from it', async () => {
    const first = await sendTo('one');
    expect(await fixture.message(first)).toMatchObject({ to, status: 'sent' });
    await fixture.arrive(arrived(fixture.profileId, returnedPhone, 'answer'));
    expect((await fixture.conversations()).items).toMatchObject([{ jid: to, unreadCount: 1 }]);
    const second = await sendTo('two');
    expect(await fixture.message(second)).toMatchObject({ to });
    const { items } = await fixture.conversations();
    // Read by the answer to it.
    expect(items).toMatchObject([{ jid: to, unreadCount: 0 }]);
    expect(textsOf(await fixture.ofProfile())).toEqual(['two', 'answer', 'one']);
    const messages = (await fixture.ofProfile()).items;
    expect(new Set(messages.map(({ conversationId }) => conversationId))).toEqual(new Set([items[0]?.id]));
    expect(await fixture.toldAs(ConversationJoined)).toHaveLength(1);
  });

  it('keeps the conversation that was there under the returned form', async () => {
    await fixture.arrive(arrived(fixture.profileId, returnedPhone, 'before'));
    await sendTo('after');
    const { items } = await fixture.conversations();
    expect(items).toMatchObject([{ id: conversationIdOf(fixture.profileId, to), jid: to }]);
    expect(textsOf(await fixture.ofProfile())).toEqual(['after', 'before']);
  });
});
