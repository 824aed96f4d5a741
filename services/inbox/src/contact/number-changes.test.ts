import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ContactUpdated,
  CreateContact,
  DescribePerson,
  ImportContacts,
  ListContacts,
  SessionNumberChanged,
  type BodyOf,
  type Page,
} from '@messaging-gateway/contracts';
import { arrived, type Arrived } from '../facts.fixture.ts';
import { InboxFixture } from '../inbox.fixture.ts';
import type { ShownContact } from './finding.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const [before, after] = ['4915100000411', '4915100000412'];
const lid = '100000000000411@lid';
const at = (phone: string) => ({ jid: `${phone}@c.us`, phone, lid });

const write = (phone: string, text: string, differences: Partial<Arrived> = {}): Promise<void> =>
  fixture.arrive(arrived(fixture.profileId, phone, text, { chat: at(phone), author: at(phone), ...differences }));
const create = async (body: BodyOf<typeof CreateContact>): Promise<ShownContact> =>
  (await fixture.service.call(CreateContact, { caller: fixture.caller, body })).body as ShownContact;
const listed = async (query: object = {}): Promise<ShownContact[]> =>
  (
    (await fixture.service.call(ListContacts, { caller: fixture.caller, query: { ...query } }))
      .body as Page<ShownContact>
  ).items;
const named = (profileId?: string) => ({
  ...(profileId !== undefined && { profileId }),
  phone: before,
  name: 'Ada Lovelace',
  tags: ['vip'],
  metadata: { city: 'London' },
  blocked: true,
});
const told = async () =>
  (await fixture.service.published(ContactUpdated))
    .filter(({ organizationId }) => organizationId === fixture.caller.organizationId)
    .map(({ data }) => data);
async function announced(differences: object = { lid }): Promise<void> {
  const { profileId } = fixture;
  const change = { profileId, previousPhone: before, phone: after, at: '2026-01-01T00:00:00.000Z', ...differences };
  await fixture.service.emit(SessionNumberChanged, change, fixture.about());
}
const described = async (phone: string) =>
  fixture.service.ask(DescribePerson, { ...fixture.about(), jid: `${phone}@c.us` });

describe.each([
  { how: 'by a message under the same LID', change: () => write(after, 'From my new number') },
  { how: 'by an announcement with the LID', change: () => announced() },
  { how: 'by an announcement without the LID', change: () => announced({}) },
])('a contact whose number changes $how', ({ change }) => {
  it('keeps its id and everything that is kept of it', async () => {
    const { id } = await create(named(fixture.profileId));
    await write(before, 'Hello');
    const [{ id: conversationId } = { id: '' }] = (await fixture.conversations()).items;
    await change();
    expect(await listed()).toMatchObject([
      {
        id,
        phone: after,
        previousPhone: before,
        lid,
        name: 'Ada Lovelace',
        tags: ['vip'],
        metadata: { city: 'London' },
        blocked: true,
      },
    ]);
    const changes = await told();
    expect(changes.filter((one) => one.change === 'number')).toMatchObject([
      { id, phone: after, previousPhone: before, lid, name: 'Ada Lovelace', tags: ['vip'], blocked: true },
    ]);
    expect(changes.filter((one) => one.change === 'deleted')).toEqual([]);
    expect((await fixture.conversations()).items).toMatchObject([
      { id: conversationId, jid: `${after}@c.us`, contactId: id, name: 'Ada Lovelace' },
    ]);
    expect(await listed({ search: before })).toEqual([]);
    expect(await described(before)).toMatchObject({ contactId: null });
    expect(await described(after)).toMatchObject({ contactId: id });
  });

  it('is no new contact: the next message is not the first ever', async () => {
    await write(before, 'Hello');
    await change();
    await write(after, 'Again');
    expect((await fixture.told()).map(({ data }) => data.firstEver ?? false).slice(0, 1)).toEqual([true]);
    expect((await fixture.told()).filter(({ data }) => data.firstEver === true)).toHaveLength(1);
    expect(await listed()).toHaveLength(1);
  });

  it('moves in the whole organization too', async () => {
    const { id } = await create(named());
    await write(before, 'Hello');
    await change();
    expect((await listed()).filter((one) => one.profileId === null)).toMatchObject([
      { id, phone: after, name: 'Ada Lovelace' },
    ]);
  });

  it('leaves the number before to others', async () => {
    const { id } = await create(named(fixture.profileId));
    await write(before, 'Hello');
    await change();
    const other = await create({ profileId: fixture.profileId, phone: before, name: 'Grace' });
    expect(other).toMatchObject({ name: 'Grace', tags: [], blocked: false });
    expect(other.id).not.toBe(id);
    const again = await create({ profileId: fixture.profileId, phone: before, tags: ['new'] });
    expect(again).toMatchObject({ id: other.id, name: 'Grace', tags: ['new'] });
    const body = {
      profileId: fixture.profileId,
      contacts: [
        { phone: before, name: 'G' },
        { phone: after, name: 'A' },
      ],
    };
    await fixture.service.call(ImportContacts, { caller: fixture.caller, body });
    const contacts = await listed();
    expect(contacts).toHaveLength(2);
    expect(contacts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: other.id, phone: before, name: 'G' }),
        expect.objectContaining({ id, phone: after, name: 'A' }),
      ]),
    );
  });
});

describe('a change of number', () => {
  it('takes over a contact that was kept under the new number', async () => {
    const { id } = await create({ profileId: fixture.profileId, phone: before, tags: ['old'] });
    await create({ profileId: fixture.profileId, phone: after, name: 'Ada', tags: ['new'] });
    await write(before, 'Hello');
    await write(after, 'From my new number');
    expect(await listed()).toMatchObject([{ id, phone: after, name: 'Ada', tags: ['old', 'new'] }]);
    expect((await told()).at(-1)).toMatchObject({ change: 'deleted', mergedInto: id });
  });

  it('is published once, however often it is announced and seen', async () => {
    await write(before, 'Hello');
    for (let time = 0; time < 2; time += 1) await announced();
    await write(after, 'Again');
    await announced();
    expect((await told()).filter((one) => one.change === 'number')).toHaveLength(1);
  });

  it('is not reverted by history from before it', async () => {
    await write(before, 'Hello');
    await write(after, 'From my new number');
    await write(before, 'Long ago', { delivery: 'history', sentAt: '2020-01-01T00:00:00.000Z' });
    expect(await listed()).toMatchObject([{ phone: after }]);
    expect((await fixture.conversations()).items).toMatchObject([{ jid: `${after}@c.us` }]);
  });

  it('of another LID changes nothing', async () => {
    await write(before, 'Hello');
    await announced({ lid: '100000000000999@lid' });
    expect(await listed()).toMatchObject([{ phone: before, lid }]);
  });
});
