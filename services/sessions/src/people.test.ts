import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FetchPeople, type AnswerOf, type Caller } from '@messaging-gateway/contracts';
import { until } from './testing/engine-harness.ts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

const phone = '4915120001701';
const [ann, ben, cem] = ['4915100001701', '4915100001702', '4915100001703'];

describe('people of whom the network tells', () => {
  let test: SessionsTest;
  let caller: Caller;
  let profileId: string;

  beforeAll(async () => {
    test = await sessionsTest();
    caller = await test.organization();
    for (const [contact, pushName] of [
      [ann, 'ann.l'],
      [cem, 'Cem'],
    ] as const)
      await test.simulator.createPhone({ phone: contact, pushName });
    await test.simulator.saveName(phone, { contact: ann, name: 'Ann' });
    await test.simulator.givePast(phone, { messages: 6, contacts: [ann, cem] });
    profileId = (await test.linked(caller, phone)).id;
  });
  afterAll(() => test.stop());

  type Page = AnswerOf<typeof FetchPeople>;
  const page = (limit: number, after?: string): Promise<Page> => {
    const body = { organizationId: caller.organizationId, profileId, limit, ...(after !== undefined && { after }) };
    return test.service.ask(FetchPeople, body, { route: profileId });
  };

  it('are those in the address book, and those in the history by the names that they gave themselves', async () => {
    const found = await until(async () => {
      const { people } = await page(10);
      return people.some(({ pushName }) => pushName === 'Cem') && people.length === 2 && people;
    });
    const lidOf = async (contact: string) => `${(await test.simulator.phone(contact)).lid}@lid`;
    expect(found).toEqual([
      { phone: ann, lid: await lidOf(ann), name: 'Ann', pushName: 'ann.l' },
      { phone: cem, lid: await lidOf(cem), pushName: 'Cem' },
    ]);
  });

  it('come in pages, with the address book as it is now', async () => {
    await test.simulator.saveName(phone, { contact: ben, name: 'Ben' });
    await test.simulator.saveName(phone, { contact: ann, name: 'Ann-Marie' });
    const first = await page(2);
    expect(first.people).toMatchObject([
      { phone: ann, name: 'Ann-Marie' },
      { phone: ben, name: 'Ben' },
    ]);
    const second = await page(2, first.next);
    expect(second).toMatchObject({ people: [{ phone: cem, pushName: 'Cem' }] });
    expect(second.next).toBeUndefined();
  });
});
