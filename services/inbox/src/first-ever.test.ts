import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ClearConversation,
  CreateContact,
  DeleteContact,
  DeleteConversation,
  ListContacts,
  SessionMessage,
  conversationIdOf,
  type EventEnvelope,
  type Operation,
} from '@messaging-gateway/contracts';
import { arrived, type Arrived } from './facts.fixture.ts';
import { InboxFixture, ada } from './inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const write = (text: string, differences: Partial<Arrived> = {}): Promise<void> =>
  fixture.arrive(arrived(fixture.profileId, ada, text, differences));
const history = { delivery: 'history' as const, sentAt: '2026-01-01T00:00:00.000Z' };
/** Messages told, each with whether it was told as the first message ever. */
const told = async (): Promise<unknown[]> =>
  (await fixture.told()).map(({ data }) => [data.body, data.firstEver ?? false]);
const call = (contract: Operation, id: string) =>
  fixture.service.call(contract, { caller: fixture.caller, params: { id } });
const contactId = async (): Promise<string> => {
  const { body } = await fixture.service.call(ListContacts, { caller: fixture.caller, query: {} });
  return (body as { items: { id: string }[] }).items[0]?.id ?? '';
};
const lid = '100000000000007@lid';
const both = { jid: `${ada}@c.us`, phone: ada, lid };
const byLid = { chat: { jid: lid, lid }, author: { jid: lid, lid } };

describe('the first message ever of a person', () => {
  it('is one, and told as such however often its fact comes', async () => {
    const hello = arrived(fixture.profileId, ada, 'Hello');
    for (let time = 0; time < 2; time += 1) await fixture.arrive(hello);
    await write('Me again');
    await fixture.arrive(hello);
    expect(await told()).toEqual([
      ['Hello', true],
      ['Me again', false],
    ]);
  });

  it('is also one of somebody who was saved before, or written to', async () => {
    const body = { profileId: fixture.profileId, phone: ada, name: 'Ada' };
    await fixture.service.call(CreateContact, { caller: fixture.caller, body });
    await write('From us', { fromMe: true, chat: both });
    await write('Hello');
    await write('And more');
    expect(await told()).toEqual([
      ['Hello', true],
      ['And more', false],
    ]);
  });

  it('is none after history, and stays one when history comes later', async () => {
    await write('Long ago', history);
    await write('Hello');
    expect(await told()).toEqual([['Hello', false]]);
    fixture.renew();
    const hello = arrived(fixture.profileId, ada, 'Hello');
    await fixture.arrive(hello);
    await write('Long ago', history);
    await fixture.arrive(hello);
    await write('Me again');
    expect(await told()).toEqual([
      ['Hello', true],
      ['Me again', false],
    ]);
  });

  it.each([
    ['clearing the conversation', async () => void (await call(ClearConversation, chatId()))],
    ['deleting the conversation', async () => void (await call(DeleteConversation, chatId()))],
    ['deleting the contact', async () => void (await call(DeleteContact, await contactId()))],
    [
      'deleting both, and another process',
      async () => {
        await call(DeleteContact, await contactId());
        await call(DeleteConversation, chatId());
        await fixture.service.restart();
      },
    ],
  ])('does not come back by %s', async (_, forget) => {
    await write('Hello');
    await forget();
    await write('Me again');
    expect(await told()).toEqual([
      ['Hello', true],
      ['Me again', false],
    ]);
  });

  it('is one of a person known by LID and by phone, whichever came first', async () => {
    await write('By LID', byLid);
    await write('By both', { chat: both, author: both });
    await write('By phone');
    expect((await told()).filter((one) => String(one).endsWith('true'))).toEqual([['By LID', true]]);
  });

  it('is none of a group, and those of a group do not count', async () => {
    const group = { chat: { jid: '120363000000000001@g.us' } };
    await write('To all', group);
    await write('Hello');
    await write('To all again', group);
    expect(await told()).toEqual([
      ['To all', false],
      ['Hello', true],
      ['To all again', false],
    ]);
  });

  it('is one for each profile', async () => {
    await write('Hello');
    const other = fixture.otherProfile();
    await fixture.arrive(arrived(other, ada, 'Hello'), { ...fixture.about(), profileId: other });
    const { organizationId } = fixture.caller;
    const all = await fixture.service.published();
    const firsts = all.filter((event) => event.organizationId === organizationId && isFirst(event));
    expect(firsts.map(({ profileId }) => profileId)).toEqual([fixture.profileId, other]);
  });
});

const chatId = (): string => conversationIdOf(fixture.profileId, `${ada}@c.us`);
const isFirst = ({ type, data }: EventEnvelope): boolean =>
  type !== SessionMessage.type && (data as { firstEver?: boolean }).firstEver === true;
