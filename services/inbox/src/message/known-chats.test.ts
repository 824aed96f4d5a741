import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ClearConversation, conversationIdOf, ListKnownChats } from '@messaging-gateway/contracts';
import { arrived, type Arrived } from '../facts.fixture.ts';
import { InboxFixture, ada, ownNumber } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const lid = '100000000000007@lid';
const stranger = '4915100000730@c.us';
const write = (differences: Partial<Arrived> = {}): Promise<void> =>
  fixture.arrive(arrived(fixture.profileId, ada, 'Hello', differences));
const known = async (...chats: string[]): Promise<string[]> => {
  const { organizationId } = fixture.caller;
  const { profileId } = fixture;
  return (await fixture.service.ask(ListKnownChats, { organizationId, profileId, chats })).known;
};

describe('known chats of a profile', () => {
  it('are those in which the other person has written, groups, and the own chat', async () => {
    await write();
    await fixture.arrive(arrived(fixture.profileId, '4915100000730', 'From us', { fromMe: true }));
    const group = '120363000000000001@g.us';
    expect(await known(`${ada}@c.us`, stranger, group, `${ownNumber}@c.us`)).toEqual([
      `${ada}@c.us`,
      group,
      `${ownNumber}@c.us`,
    ]);
  });

  it('include those whose messages came as history, or were cleared', async () => {
    await write({ delivery: 'history', sentAt: '2026-01-01T00:00:00.000Z' });
    expect(await known(`${ada}@c.us`)).toHaveLength(1);
    const id = conversationIdOf(fixture.profileId, `${ada}@c.us`);
    await fixture.service.call(ClearConversation, { caller: fixture.caller, params: { id } });
    expect(await known(`${ada}@c.us`)).toHaveLength(1);
  });

  it('are found by number and by LID', async () => {
    await write({ chat: { jid: lid, phone: ada, lid }, author: { jid: lid, phone: ada, lid } });
    expect(await known(lid, `${ada}@c.us`, stranger)).toEqual([lid, `${ada}@c.us`]);
  });

  it('are not those of another profile', async () => {
    await write();
    const { organizationId } = fixture.caller;
    const asked = { organizationId, profileId: '0198c0de-0000-7000-8000-0000000000aa', chats: [`${ada}@c.us`] };
    expect(await fixture.service.ask(ListKnownChats, asked)).toEqual({ known: [] });
  });
});
