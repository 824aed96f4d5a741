import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DeleteConversation,
  GetConversation,
  ListConversationMessages,
  MessageAccepted,
  MessageFailed,
  MessageSent,
  conversationIdOf,
  type Page,
} from '@messaging-gateway/contracts';
import { accepted, arrived, sent, type Accepted } from '../facts.fixture.ts';
import { InboxFixture, ada, textsOf, type Message } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const error = { code: 'RECIPIENT_UNKNOWN', message: 'The number is not on the network.' };
const send = async (text: string): Promise<Accepted> => {
  const message = accepted(fixture.profileId, `${ada}@c.us`, text);
  await fixture.service.emit(MessageAccepted, message, fixture.about());
  return message;
};
const fail = (message: Accepted): Promise<unknown> =>
  fixture.service.emit(MessageFailed, { ...sent(message), error }, fixture.about());
const ask = (contract: typeof GetConversation | typeof DeleteConversation) =>
  fixture.service.call(contract, {
    caller: fixture.caller,
    params: { id: conversationIdOf(fixture.profileId, `${ada}@c.us`) },
  });
/** The total that is told, beside what is listed, before and after the views were made anew. */
async function expectListed(count: number): Promise<void> {
  for (const again of [false, true]) {
    if (again) await fixture.service.rebuildViews();
    const { total, items } = await fixture.conversations();
    expect([total, items.length]).toEqual([count, count]);
  }
}

describe('a conversation of which every message has failed', () => {
  it('is not listed, and found by its id with its messages', async () => {
    const message = await send('Anybody?');
    await expectListed(1);
    await fail(message);
    await expectListed(0);
    expect(await fixture.message(message.messageId)).toMatchObject({ status: 'failed', error });
    expect((await ask(GetConversation)).body).toMatchObject({ lastMessage: { id: message.messageId } });
    const params = { conversationId: message.conversationId };
    const { body } = await fixture.service.call(ListConversationMessages, { caller: fixture.caller, params });
    expect(textsOf(body as Page<Message>)).toEqual(['Anybody?']);
  });

  it('is listed while another message is on its way, and not once all have failed at the same time', async () => {
    const messages = [await send('one'), await send('two'), await send('three')];
    await fail(messages[1] as Accepted);
    await expectListed(1);
    await Promise.all(messages.map(fail));
    await expectListed(0);
  });

  it('is not listed when the failure was told before the message', async () => {
    const message = accepted(fixture.profileId, `${ada}@c.us`, 'Anybody?');
    await fail(message);
    await fixture.service.emit(MessageAccepted, message, fixture.about());
    await expectListed(0);
  });

  it('is listed again when something is sent, comes in, or has not failed after all', async () => {
    await fail(await send('one'));
    const again = await send('two');
    await expectListed(1);
    await fail(again);
    await expectListed(0);
    await fixture.service.emit(MessageSent, sent(again), fixture.about());
    await expectListed(1);
    fixture.renew();
    await fail(await send('one'));
    await fixture.arrive(arrived(fixture.profileId, ada, 'Here I am'));
    await expectListed(1);
    expect((await fixture.conversations()).items).toMatchObject([{ unreadCount: 1 }]);
    await fail(await send('three'));
    await expectListed(1);
  });

  it('is not listed under the other name of its person, and is with what came to that', async () => {
    const lid = '100000000000079@lid';
    await fail(await send('one'));
    await fixture.arrive(
      arrived(fixture.profileId, ada, 'by LID', { chat: { jid: lid, lid }, author: { jid: lid, lid } }),
    );
    const chat = { jid: `${ada}@c.us`, phone: ada, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'by both', { chat, author: chat }));
    await expectListed(1);
  });

  it('is found no longer when somebody deletes it', async () => {
    await fail(await send('one'));
    expect((await ask(DeleteConversation)).status).toBe(204);
    await expect(ask(GetConversation)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expectListed(0);
    await send('two');
    await expectListed(1);
  });

  it('of a version that did not count is listed as before', async () => {
    const message = await send('Anybody?');
    const { sql } = fixture.service;
    await sql.query('UPDATE conversations SET not_failed = NULL, erased = NULL WHERE id = $1', [
      message.conversationId,
    ]);
    await fail(message);
    expect((await fixture.conversations()).total).toBe(1);
    await ask(DeleteConversation);
    expect((await fixture.conversations()).total).toBe(0);
  });
});
