import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FetchOlderMessages, SessionMessage, type Caller, type DataOf } from '@messaging-gateway/contracts';
import { until } from './testing/engine-harness.ts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

const phone = '4915120001601';
const contact = '4915100001601';

describe('older messages', () => {
  let test: SessionsTest;
  let caller: Caller;
  let profileId: string;

  beforeAll(async () => {
    test = await sessionsTest();
    caller = await test.organization();
    await test.simulator.createPhone({ phone });
    await test.simulator.createPhone({ phone: contact });
    await test.simulator.givePast(phone, { messages: 30, contacts: [contact], keptBack: 25 });
    profileId = (await test.linked(caller, phone)).id;
  });
  afterAll(() => test.stop());

  type Told = DataOf<typeof SessionMessage>;
  const told = async (): Promise<Told[]> =>
    (await test.service.published(SessionMessage))
      .map(({ data }) => data)
      .toSorted((one, other) => Date.parse(one.sentAt) - Date.parse(other.sentAt));
  const ask = async (count: number, oldest: Told | undefined) =>
    test.service.ask(
      FetchOlderMessages,
      {
        organizationId: caller.organizationId,
        profileId,
        chat: `${contact}@c.us`,
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
    expect((await ask(100, all[0])).networkMessageIds).toHaveLength(15);
    await until(async () => (await told()).length === 30);
    expect((await ask(100, (await told())[0])).networkMessageIds).toEqual([]);
  });
});
