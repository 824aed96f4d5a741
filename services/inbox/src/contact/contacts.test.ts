import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AddContactTags,
  ContactUpdated,
  CreateContact,
  DeleteContact,
  GetContact,
  ImportContacts,
  ListContacts,
  RemoveContactTags,
  UpdateContact,
  type BodyOf,
  type Caller,
  type Page,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { arrived } from '../facts.fixture.ts';
import { InboxFixture, ada } from '../inbox.fixture.ts';
import type { ShownContact } from './finding.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const refusal = (code: string) => expect.objectContaining({ code });
const create = async (body: BodyOf<typeof CreateContact>, caller = fixture.caller) => {
  const reply = await fixture.service.call(CreateContact, { caller, body });
  return { status: reply.status, contact: reply.body as ShownContact };
};
const get = async (id: string, caller = fixture.caller) =>
  (await fixture.service.call(GetContact, { caller, params: { id } })).body as ShownContact;
const list = async (query: object = {}, caller = fixture.caller) =>
  (await fixture.service.call(ListContacts, { caller, query: { ...query } })).body as Page<ShownContact>;
const byText = (one: string | null, other: string | null) => (one ?? '').localeCompare(other ?? '');
const namesOf = ({ items }: Page<ShownContact>) => items.map(({ name }) => name);
const told = async () =>
  (await fixture.service.published(ContactUpdated))
    .filter(({ organizationId }) => organizationId === fixture.caller.organizationId)
    .map(({ data }) => data);

describe('a contact', () => {
  it('is made again when the person writes after it was deleted', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello'));
    const [contact] = (await list()).items;
    await fixture.service.call(DeleteContact, { caller: fixture.caller, params: { id: contact?.id ?? '' } });
    expect(await list()).toMatchObject({ items: [], total: 0 });
    await fixture.arrive(arrived(fixture.profileId, ada, 'It is me again'));
    expect(await list()).toMatchObject({ items: [{ phone: ada, pushName: 'Ada' }], total: 1 });
  });

  it('is not found by what no text can hold', async () => {
    await create({ phone: ada, name: 'Ada', tags: ['a'] });
    expect(await list({ search: 'A\0' })).toMatchObject({ items: [], total: 0 });
    expect(await list({ tags: ['a\0'] })).toMatchObject({ items: [], total: 0 });
  });

  it('is made once per phone and profile, and its tags are joined', async () => {
    const { profileId } = fixture;
    const first = await create({ profileId, phone: '+49 151 12345678', name: 'Ada', tags: ['a'] });
    expect(first).toMatchObject({
      status: 201,
      contact: { profileId, phone: ada, name: 'Ada', tags: ['a'], metadata: {}, blocked: false, lastMessageAt: null },
    });
    const again = await create({ profileId, phone: ada, tags: ['b'], metadata: { city: 'Berlin' } });
    expect(again).toMatchObject({
      status: 200,
      contact: { id: first.contact.id, name: 'Ada', tags: ['a', 'b'], metadata: { city: 'Berlin' } },
    });
    expect((await create({ phone: ada })).contact.id).not.toBe(first.contact.id);
    expect((await list()).total).toBe(2);
    expect(await told()).toMatchObject([
      { id: first.contact.id, change: 'created', phone: ada },
      { id: first.contact.id, change: 'updated', tags: ['a', 'b'] },
      { change: 'created', profileId: null },
    ]);
  });

  it('is changed in the fields given, its tags replaced, added and taken off', async () => {
    const { contact } = await create({ phone: ada, name: 'Ada', tags: ['a'] });
    const params = { id: contact.id };
    const { caller, service } = fixture;
    await service.call(UpdateContact, { caller, params, body: { tags: ['b'], blocked: true } });
    expect(await get(contact.id)).toMatchObject({ name: 'Ada', tags: ['b'], blocked: true });
    await service.call(AddContactTags, { caller, params, body: { tags: ['c'] } });
    const { body } = await service.call(RemoveContactTags, { caller, params, body: { tags: ['b'] } });
    expect(body).toMatchObject({ tags: ['c'] });
    await service.call(UpdateContact, { caller, params, body: { name: null } });
    expect(await get(contact.id)).toMatchObject({ name: null });
  });

  it('is blocked and unblocked, and tells it', async () => {
    const { caller, service } = fixture;
    const { contact } = await create({ phone: ada, blocked: true });
    expect(contact.blocked).toBe(true);
    const params = { id: contact.id };
    await service.call(UpdateContact, { caller, params, body: { blocked: false } });
    const contacts = [{ phone: ada, blocked: true }];
    await service.call(ImportContacts, { caller, body: { contacts } });
    expect(await get(contact.id)).toMatchObject({ blocked: true });
    expect((await told()).map(({ blocked }) => blocked)).toEqual([true, false, true]);
  });

  it('is gone once it is deleted, and can be made again', async () => {
    const { contact } = await create({ phone: ada, name: 'Ada' });
    await fixture.service.call(DeleteContact, { caller: fixture.caller, params: { id: contact.id } });
    await expect(get(contact.id)).rejects.toEqual(refusal('NOT_FOUND'));
    expect((await list()).total).toBe(0);
    expect((await told()).at(-1)).toEqual({ id: contact.id, change: 'deleted', profileId: null, phone: ada });
    expect(await create({ phone: ada })).toMatchObject({ status: 201, contact: { name: null } });
  });

  it.each([
    [{ phone: '12' }, 'body.phone'],
    [{ phone: ada, tags: ['a;b'] }, 'body.tags[0]'],
    [{ phone: ada, nick: 'A' }, 'body.nick'],
    [{ phone: ada, blocked: 'yes' as never }, 'body.blocked'],
    [{ phone: ada, metadata: { text: 'x'.repeat(20_000) } }, 'body.metadata'],
  ])('is refused with bad input', async (body, path) => {
    await expect(create(body)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
    expect((await list()).total).toBe(0);
  });
});

describe('contacts', () => {
  it('are listed page by page, by search and by tags', async () => {
    const { profileId } = fixture;
    await create({ phone: '4915100000001', name: 'Grace 100%', tags: ['vip', 'de'] });
    await create({ phone: '4915100000002', name: 'Alan', tags: ['vip'] });
    await create({ profileId, phone: '4915100000003', name: 'Edsger' });
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.nextCursor });
    expect([...namesOf(first), ...namesOf(second)].toSorted(byText)).toEqual(['Alan', 'Edsger', 'Grace 100%']);
    expect([first.total, second.nextCursor]).toEqual([3, null]);
    expect(namesOf(await list({ search: '0%' }))).toEqual(['Grace 100%']);
    expect(namesOf(await list({ search: '0000002' }))).toEqual(['Alan']);
    expect(namesOf(await list({ tags: ['vip,de'] }))).toEqual(['Grace 100%']);
    expect(namesOf(await list({ tags: 'vip' })).toSorted(byText)).toEqual(['Alan', 'Grace 100%']);
    expect(namesOf(await list({ profileId }))).toEqual(['Edsger']);
  });

  it("are another organization's business to nobody else", async () => {
    const { contact } = await create({ phone: ada });
    const stranger = testCaller();
    await expect(get(contact.id, stranger)).rejects.toEqual(refusal('NOT_FOUND'));
    await expect(fixture.service.call(DeleteContact, { caller: stranger, params: { id: contact.id } })).rejects.toEqual(
      refusal('NOT_FOUND'),
    );
    await expect(create({ profileId: fixture.profileId, phone: ada }, stranger)).rejects.toEqual(refusal('NOT_FOUND'));
    expect((await list({}, stranger)).total).toBe(0);
  });

  it('of other profiles are closed to an API key that is limited to some', async () => {
    const { profileId } = fixture;
    const key: Caller = { ...fixture.caller, apiKeyId: v7(), profileIds: [profileId] };
    const own = await create({ profileId, phone: ada }, key);
    const common = await create({ phone: ada });
    expect(await list({}, key)).toMatchObject({ items: [{ id: own.contact.id }], total: 1 });
    await expect(get(common.contact.id, key)).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(create({ phone: ada }, key)).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(list({ profileId: v7() }, key)).rejects.toEqual(refusal('FORBIDDEN'));
  });

  it('are made anew from the journal', async () => {
    const { contact } = await create({ phone: ada, name: 'Ada', tags: ['a'] });
    await create({ phone: '4915100000001' });
    await fixture.service.call(DeleteContact, { caller: fixture.caller, params: { id: contact.id } });
    await create({ phone: ada, metadata: { again: true } });
    const before = await list();
    await fixture.service.rebuildViews();
    expect(await list()).toEqual(before);
  });
});

describe('a stranger who writes', () => {
  it('becomes a contact with its own name, and the conversation shows it', async () => {
    const message = arrived(fixture.profileId, ada, 'Hello');
    await fixture.arrive(message);
    const { items } = await list();
    expect(items).toMatchObject([
      { profileId: fixture.profileId, phone: ada, name: null, pushName: 'Ada', lastMessageAt: message.sentAt },
    ]);
    const id = items[0]?.id ?? '';
    expect((await fixture.conversations()).items).toMatchObject([{ contactId: id, name: 'Ada' }]);
    await fixture.service.call(UpdateContact, { caller: fixture.caller, params: { id }, body: { name: 'Lovelace' } });
    expect((await fixture.conversations()).items).toMatchObject([{ contactId: id, name: 'Lovelace' }]);
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello', { pushName: 'Ada L.' }));
    expect((await list()).items).toMatchObject([{ id, name: 'Lovelace', pushName: 'Ada L.' }]);
    expect((await told()).map(({ change }) => change)).toEqual(['created', 'updated', 'updated']);
  });

  it('is told to nobody when history brings it, and is none in a group', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'Long ago', { delivery: 'history' }));
    await fixture.arrive(arrived(fixture.profileId, '4915100000007', 'Hi', { chat: { jid: '12036304@g.us' } }));
    await fixture.arrive(arrived(fixture.profileId, '4915100000008', 'From me', { fromMe: true }));
    expect((await list()).items).toMatchObject([{ phone: ada }]);
    expect(await told()).toEqual([]);
  });

  it('is one contact by LID and by phone', async () => {
    const lid = '100000000000001@lid';
    const byLid = { jid: lid, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'one', { chat: byLid, author: byLid }));
    const [first] = (await list()).items;
    expect(first).toMatchObject({ phone: null, lid });
    const tagged = { caller: fixture.caller, params: { id: first?.id ?? '' }, body: { tags: ['a'] } };
    await fixture.service.call(AddContactTags, tagged);
    const byBoth = { jid: `${ada}@c.us`, phone: ada, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'two', { chat: byBoth, author: byBoth }));
    const { items } = await list();
    expect(items).toMatchObject([{ phone: ada, lid, tags: ['a'] }]);
    expect((await fixture.conversations()).items).toMatchObject([{ contactId: items[0]?.id }]);
    expect((await told()).at(-1)).toMatchObject({ id: first?.id, change: 'deleted', mergedInto: items[0]?.id });
  });

  it('is one contact too once the owner writes to them from the phone', async () => {
    const lid = '100000000000002@lid';
    const both = { jid: `${ada}@c.us`, phone: ada, lid };
    const mine = () => arrived(fixture.profileId, ada, 'From me', { fromMe: true, chat: both, pushName: 'Me' });
    await fixture.arrive(mine());
    expect((await list()).items).toEqual([]);
    const byLid = { jid: lid, lid };
    fixture.renew();
    await fixture.arrive(arrived(fixture.profileId, ada, 'one', { chat: byLid, author: byLid }));
    await fixture.arrive(mine());
    expect((await list()).items).toMatchObject([{ phone: ada, lid, pushName: 'Ada' }]);
    fixture.renew();
    await create({ profileId: fixture.profileId, phone: ada });
    await fixture.arrive(mine());
    expect((await list()).items).toMatchObject([{ phone: ada, lid, pushName: null }]);
  });
});
