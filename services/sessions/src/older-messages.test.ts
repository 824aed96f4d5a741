import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FetchOlderMessages, SessionHistory, type Caller, type DataOf } from '@messaging-gateway/contracts';
import { until } from './testing/engine-harness.ts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

const phone = '4915120001601';
const contact = '4915100001601';
const others = ['4915100001602', '4915100001603'];

describe('older messages', () => {
  let test: SessionsTest;
  let caller: Caller;
  let profileId: string;

  beforeAll(async () => {
    test = await sessionsTest();
    caller = await test.organization();
    await test.simulator.createPhone({ phone });
    await test.simulator.createPhone({ phone: contact });
    await test.simulator.givePast(phone, { messages: 90, contacts: [contact, ...others], keptBack: 25 });
    profileId = (await test.linked(caller, phone)).id;
  });
  afterAll(() => test.stop());

  type Told = DataOf<typeof SessionHistory>;
  const told = async (chat = contact): Promise<Told[]> =>
    (await test.service.published(SessionHistory))
      .map(({ data }) => data)
      .filter((one) => one.chat.jid === `${chat}@c.us`)
      .toSorted((one, other) => Date.parse(one.sentAt) - Date.parse(other.sentAt));
  const ask = async (count: number, oldest: Told | undefined, chat = contact) =>
    test.service.ask(
      FetchOlderMessages,
      {
        organizationId: caller.organizationId,
        profileId,
        chat: `${chat}@c.us`,
        oldest: {
          networkMessageId: oldest?.networkMessageId ?? '',
          fromMe: oldest?.fromMe ?? false,
          sentAt: oldest?.sentAt ?? '',
        },
        count,
      },
      { route: profileId },
    );

  it('are handed over by the phone when it is asked, and told as history', async () => {
    await until(async () => (await told()).length === 5);
    const [oldest] = await told();
    const first = await ask(10, oldest);
    expect(first.networkMessageIds).toHaveLength(10);
    await until(async () => (await told()).length === 15);
    const all = await told();
    expect(
      all
        .slice(0, 10)
        .map(({ networkMessageId }) => networkMessageId)
        .toSorted(),
    ).toEqual(first.networkMessageIds.toSorted());
    expect(new Set(all.map(({ delivery }) => delivery))).toEqual(new Set(['history']));
    expect(first.hasMore).toBe(true);
    const last = await ask(15, all[0]);
    expect([last.networkMessageIds.length, last.hasMore]).toEqual([15, false]);
    await until(async () => (await told()).length === 30);
  });

  it('are not asked for again once the phone has said that there are none', async () => {
    await test.simulator.configureContact(contact, { exists: false }); // the phone does not answer
    expect(await ask(100, (await told())[0])).toEqual({ networkMessageIds: [], hasMore: false });
  });

  it('of two chats at the same time come to whoever asked for them', async () => {
    const known = await Promise.all(others.map((chat) => told(chat)));
    const answers = await Promise.all(others.map((chat, index) => ask(10, known[index]?.[0], chat)));
    const came = await Promise.all(
      others.map((chat) => until(async () => ((await told(chat)).length === 15 ? told(chat) : undefined))),
    );
    expect(answers.map(({ networkMessageIds }) => networkMessageIds.toSorted())).toEqual(
      came.map((all) =>
        all
          .slice(0, 10)
          .map(({ networkMessageId }) => networkMessageId)
          .toSorted(),
      ),
    );
  });
});
