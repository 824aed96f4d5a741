import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ContactUpdated,
  CreateContact,
  FetchPeople,
  ListContacts,
  SyncContacts,
  UpdateContact,
  type AnswerOf,
  type Page,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { arrived } from '../facts.fixture.ts';
import { InboxFixture, ada } from '../inbox.fixture.ts';
import type { ShownContact } from './finding.ts';

type People = AnswerOf<typeof FetchPeople>['people'];

const ben = '4915100000001';
const lid = '77001@lid';
let fixture: InboxFixture;
let people: People;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(async () => {
  fixture.renew();
  people = [
    { phone: ada, lid, name: 'Ada', pushName: 'ada.l' },
    { phone: ben, pushName: 'Ben' },
  ];
  const page = ({ after }: { after?: string }) => {
    const from = Number(after ?? 0);
    const isMore = from + 1 < people.length;
    return { people: people.slice(from, from + 1), ...(isMore && { next: String(from + 1) }) };
  };
  await fixture.service.fake(FetchPeople, page, fixture.profileId);
});

const sync = async (caller = fixture.caller, profileId = fixture.profileId) =>
  (await fixture.service.call(SyncContacts, { caller, body: { profileId } })).body;
const contacts = async () => {
  const { body } = await fixture.service.call(ListContacts, { caller: fixture.caller, query: {} });
  return new Map((body as Page<ShownContact>).items.map((contact) => [contact.phone ?? contact.lid, contact]));
};
const told = async () =>
  (await fixture.service.published(ContactUpdated)).filter(({ profileId }) => profileId === fixture.profileId);

describe('contacts from the network', () => {
  it('become contacts of the profile, page by page, once', async () => {
    expect(await sync()).toEqual({ created: 2, updated: 0, total: 2 });
    const found = await contacts();
    expect(found.get(ada)).toMatchObject({ profileId: fixture.profileId, lid, name: 'Ada', pushName: 'ada.l' });
    expect(found.get(ben)).toMatchObject({ name: null, pushName: 'Ben', tags: [] });
    expect(await told()).toHaveLength(2);
    expect(await sync()).toEqual({ created: 0, updated: 0, total: 2 });
    expect(await told()).toHaveLength(2);
  });

  it('follow the phone in their names, unless a name was given here', async () => {
    await sync();
    people = [
      { phone: ada, lid, name: 'Ada Lovelace' },
      { phone: ben, name: 'Benjamin' },
    ];
    expect(await sync()).toEqual({ created: 0, updated: 2, total: 2 });
    const { id = '' } = (await contacts()).get(ada) ?? {};
    const named = { caller: fixture.caller, params: { id }, body: { name: 'Countess', tags: ['vip'] } };
    await fixture.service.call(UpdateContact, named);
    people = [
      { phone: ada, name: 'Ada L.' },
      { phone: ben, name: 'Ben K.' },
    ];
    expect(await sync()).toMatchObject({ total: 2 });
    const found = await contacts();
    expect(found.get(ada)).toMatchObject({ name: 'Countess', pushName: 'ada.l', tags: ['vip'] });
    expect(found.get(ben)).toMatchObject({ name: 'Ben K.', pushName: 'Ben' });
  });

  it('take over what was kept of a person without a phone', async () => {
    const person = { jid: lid, lid };
    await fixture.arrive(arrived(fixture.profileId, '', 'Hello', { chat: person, author: person, pushName: 'A.' }));
    expect([...(await contacts()).keys()]).toEqual([lid]);
    expect(await sync()).toEqual({ created: 2, updated: 0, total: 2 });
    const found = await contacts();
    expect(new Set(found.keys())).toEqual(new Set([ben, ada]));
    expect(found.get(ada)).toMatchObject({ lid, name: 'Ada', pushName: 'ada.l' });
  });

  it('leave what was made here as it is', async () => {
    const body = { profileId: fixture.profileId, phone: ada, name: 'Given', tags: ['a'], metadata: { city: 'Bern' } };
    await fixture.service.call(CreateContact, { caller: fixture.caller, body });
    expect(await sync()).toEqual({ created: 1, updated: 1, total: 2 });
    expect((await contacts()).get(ada)).toMatchObject({ ...body, lid, pushName: 'ada.l' });
  });

  it('are for profiles of the organization and of the key only', async () => {
    await expect(sync(testCaller())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const key = { ...fixture.caller, apiKeyId: v7(), profileIds: [v7()] };
    await expect(sync(key)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
