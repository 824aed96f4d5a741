import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ClearConversation,
  DeleteMessage,
  MessageAccepted,
  MessageFailed,
  PreviousMessages,
  conversationIdOf,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { accepted, arrived, edited, incoming, picture, revoked, sent, type Arrived } from '../facts.fixture.ts';
import { InboxFixture, ada } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const lid = '100000000000007@lid';
const byLid = { jid: lid, lid };
const both = { jid: `${ada}@c.us`, phone: ada, lid };
const idOf = (jid = `${ada}@c.us`): string => conversationIdOf(fixture.profileId, jid);

/** Ada writes. @returns what the network calls it */
async function come(text: string, differences: Partial<Arrived> = {}): Promise<string> {
  const fact = arrived(fixture.profileId, ada, text, differences);
  await fixture.arrive(fact);
  return fact.networkMessageId;
}
/** The gateway writes. */
async function go(text: string, fails = false): Promise<string> {
  const fact = accepted(fixture.profileId, `${ada}@c.us`, text);
  await fixture.service.emit(MessageAccepted, fact, fixture.about());
  if (fails) {
    const error = { code: 'RECIPIENT_UNKNOWN', message: 'No' };
    await fixture.service.emit(MessageFailed, { ...sent(fact), error }, fixture.about());
  }
  return fact.messageId;
}
const said = async (differences: object = {}) => {
  const { organizationId } = fixture.caller;
  const asked = { organizationId, conversationId: idOf(), limit: 50, ...differences };
  const { messages } = await fixture.service.ask(PreviousMessages, asked);
  return messages.map(({ role, content }) => `${role}: ${content}`);
};

describe('the last part of a conversation', () => {
  it('is told oldest first, without what nobody has read or may read', async () => {
    await come('Hello');
    const answer = await go('Good morning');
    await come('', { content: picture });
    await come('', { content: { type: 'location', content: { latitude: 1, longitude: 2 } } });
    await go('Lost', true);
    const slip = await come('Slip');
    await fixture.change(incoming(slip), edited('Mended'));
    await fixture.change(incoming(await come('Secret')), revoked);
    const gone = await go('Gone');
    await fixture.service.call(DeleteMessage, { caller: fixture.caller, params: { id: gone } });
    const all = ['user: Hello', 'assistant: Good morning', 'user: Harbour', 'user: Mended'];
    expect(await said()).toEqual(all);
    expect(await said({ limit: 2 })).toEqual(all.slice(2));
    expect(await said({ before: answer })).toEqual(all.slice(0, 1));
  });

  it('is told under both names of a person, and not once it was cleared', async () => {
    await come('By LID', { chat: byLid, author: byLid });
    await go('By phone');
    await come('By both', { chat: both, author: both });
    const all = ['user: By LID', 'assistant: By phone', 'user: By both'];
    for (const jid of [lid, `${ada}@c.us`]) expect(await said({ conversationId: idOf(jid) })).toEqual(all);
    fixture.service.clock.advance(10);
    await fixture.service.call(ClearConversation, { caller: fixture.caller, params: { id: idOf() } });
    fixture.service.clock.advance(10);
    await come('Anew');
    expect(await said()).toEqual(['user: Anew']);
  });

  it('is nothing for others', async () => {
    await come('Hello');
    expect(await said({ organizationId: v7() })).toEqual([]);
    expect(await said({ conversationId: v7() })).toEqual([]);
  });
});
