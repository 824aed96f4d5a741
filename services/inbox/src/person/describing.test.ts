import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DescribePerson, NamesOfPeople, NamesOfPerson } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { arrived } from '../facts.fixture.ts';
import { InboxFixture, ada } from '../inbox.fixture.ts';
import { contactRow, write } from './people.fixture.ts';

const lid = '77001@lid';
let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const describePerson = (jid: string, about = fixture.about()) => fixture.service.ask(DescribePerson, { ...about, jid });
const names = async (jid: string, about = fixture.about()) =>
  (await fixture.service.ask(NamesOfPerson, { ...about, jid })).jids;

const nobody = {
  contactId: null,
  name: null,
  pushName: null,
  phone: null,
  lid: null,
  tags: [],
  metadata: {},
  blocked: false,
  conversationId: null,
  handoverUntil: null,
};

describe('a person', () => {
  it('is described by the phone and by the LID alike', async () => {
    const both = { jid: `${ada}@c.us`, phone: ada, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello', { chat: both, author: both }));
    const common = contactRow(fixture, {
      phone: ada,
      name: 'Ada Lovelace',
      tags: ['vip'],
      metadata: { city: 'Berlin' },
      blocked: true,
    });
    await write(fixture, [common]);
    const byPhone = await describePerson(`${ada}@c.us`);
    expect(byPhone).toMatchObject({
      name: 'Ada Lovelace',
      pushName: 'Ada',
      phone: ada,
      lid,
      tags: ['vip'],
      metadata: { city: 'Berlin' },
      blocked: true,
    });
    expect(byPhone.contactId).not.toBe(common.id);
    expect(await describePerson(lid)).toEqual(byPhone);
    expect(await names(lid)).toEqual([lid, `${ada}@c.us`]);
    expect(await names(`${ada}@c.us`)).toEqual([`${ada}@c.us`, lid]);
  });

  it('whom nobody knows, a group, and one of another profile or organization, is none', async () => {
    await write(fixture, [
      contactRow(fixture, { profile_id: fixture.otherProfile(), phone: ada, name: 'Ada', lid }),
      contactRow(fixture, { organization_id: v7(), phone: ada, name: 'Ada', lid: '77002@lid' }),
    ]);
    for (const jid of [`${ada}@c.us`, lid, '4915100000009@c.us', '12036304@g.us'])
      expect(await describePerson(jid)).toEqual(nobody);
    expect(await names(`${ada}@c.us`)).toEqual([`${ada}@c.us`, lid]);
    expect(await names('4915100000009@c.us')).toEqual(['4915100000009@c.us']);
    expect(await names('12036304@g.us')).toEqual(['12036304@g.us']);
  });

  it('among many has the same names as alone', async () => {
    await write(fixture, [
      contactRow(fixture, { phone: ada, lid }),
      contactRow(fixture, { profile_id: fixture.otherProfile(), phone: '4915100000002', lid }),
    ]);
    const { organizationId } = fixture.about();
    const jids = [lid, '4915100000009@c.us', '12036304@g.us', `${ada}@c.us`];
    const { people } = await fixture.service.ask(NamesOfPeople, { organizationId, jids });
    const one = { phones: expect.arrayContaining([ada, '4915100000002']), lids: [lid] };
    expect(people).toEqual([one, { phones: ['4915100000009'], lids: [] }, { phones: [], lids: [] }, one]);
  });
});
