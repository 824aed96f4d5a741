import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ArchiveConversation,
  DeleteContact,
  DeleteConversation,
  GetUnreadCount,
  ListContacts,
  MessageAccepted,
  ReadConversation,
  UnarchiveConversation,
  conversationIdOf,
  type Caller,
  type Operation,
} from '@messaging-gateway/contracts';
import { eventually } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { contactCounts } from '../contact/counts.ts';
import type { KeptNumber } from '../counting/kept-number.ts';
import { accepted, arrived } from '../facts.fixture.ts';
import { InboxFixture } from '../inbox.fixture.ts';
import { conversationCounts, unreadCounts } from './counts.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const minute = 60_000;
const phones = Array.from({ length: 6 }, (_, number) => `491510000110${number}`);
const [ada = '', grace = '', mary = '', joan = ''] = phones;
const idOf = (phone: string): string => conversationIdOf(fixture.profileId, `${phone}@c.us`);
const change = (contract: Operation, phone: string) =>
  fixture.service.call(contract, { caller: fixture.caller, params: { id: idOf(phone) } });

/** Resolves when each group of a number has one row. */
const addedUp = ({ table, groups }: KeptNumber): Promise<true> =>
  eventually(async () => {
    fixture.service.clock.advance(minute);
    const several = await fixture.service.sql.query(
      `SELECT FROM ${table} WHERE organization_id = $1 GROUP BY ${groups} HAVING count(*) > 1`,
      [fixture.caller.organizationId],
    );
    return several.length === 0 ? true : undefined;
  });

/** Each filter's total beside how many it lists. */
async function totals(): Promise<{ told: number[]; listed: number[] }> {
  const filters = [
    {},
    { profileId: fixture.profileId },
    { archived: true },
    { archived: false },
    { unread: true },
    { unread: false },
    { type: 'group' },
    { type: 'user' },
    { archived: false, unread: true, type: 'user', profileId: fixture.profileId },
    { profileId: v7() },
  ];
  const pages = await Promise.all(filters.map((filter) => fixture.conversations({ ...filter, limit: 100 })));
  return { told: pages.map(({ total }) => total ?? -1), listed: pages.map(({ items }) => items.length) };
}

const expectExact = async (): Promise<void> => {
  const { told, listed } = await totals();
  expect(told).toEqual(listed);
};

/** People who write, a group, and what is done with their conversations. */
async function live(): Promise<void> {
  for (const phone of phones) await fixture.arrive(arrived(fixture.profileId, phone, 'Hello'));
  const group = { jid: '120363000000000001@g.us' };
  await fixture.arrive(arrived(fixture.profileId, ada, 'Hello all', { chat: group }));
  await change(ReadConversation, ada);
  await change(ArchiveConversation, grace);
  await change(ArchiveConversation, mary);
  await change(UnarchiveConversation, mary);
  await change(DeleteConversation, joan);
}

describe('the totals of the list of conversations', () => {
  it('are those of what is listed, by every filter', async () => {
    await live();
    await expectExact();
    expect((await totals()).told).toEqual([6, 6, 1, 5, 5, 1, 1, 5, 3, 0]);
    await fixture.arrive(arrived(fixture.profileId, joan, 'Still there?'));
    await expectExact();
    expect((await fixture.conversations()).total).toBe(7);
  });

  it('count a person with two names once', async () => {
    const lid = '100000000000077@lid';
    await fixture.arrive(
      arrived(fixture.profileId, ada, 'by LID', { chat: { jid: lid, lid }, author: { jid: lid, lid } }),
    );
    await fixture.arrive(arrived(fixture.profileId, ada, 'by phone'));
    expect((await fixture.conversations()).total).toBe(2);
    const chat = { jid: `${ada}@c.us`, phone: ada, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'by both', { chat, author: chat }));
    await expectExact();
    expect((await fixture.conversations()).total).toBe(1);
  });

  it('stay the same when changes are added up, and when the views are made anew', async () => {
    await live();
    const before = await totals();
    await addedUp(conversationCounts);
    expect(await totals()).toEqual(before);
    await fixture.service.rebuildViews();
    expect(await totals()).toEqual(before);
    await change(ArchiveConversation, ada);
    await expectExact();
  });

  it('are put right when they are wrong', async () => {
    await live();
    await fixture.service.sql.query(
      'INSERT INTO conversation_counts SELECT organization_id, profile_id, is_group, true, unread, 3 FROM conversation_counts WHERE organization_id = $1 LIMIT 1',
      [fixture.caller.organizationId],
    );
    expect((await fixture.conversations()).total).toBe(9);
    await eventually(async () => {
      fixture.service.clock.advance(minute);
      return (await fixture.conversations()).total === 6 ? true : undefined;
    }, 500_000);
    await expectExact();
  }, 600_000);
});

/** How many messages are unread, told beside the sum of what is listed. */
async function unread(caller: Caller = fixture.caller): Promise<{ told: number; listed: number }> {
  const { body } = await fixture.service.call(GetUnreadCount, { caller });
  const { items } = await fixture.conversations({ limit: 100 }, caller);
  return { told: (body as { count: number }).count, listed: items.reduce((sum, one) => sum + one.unreadCount, 0) };
}

const listContacts = async (query: object = {}, caller: Caller = fixture.caller) =>
  (await fixture.service.call(ListContacts, { caller, query: { limit: 100, ...query } })).body as {
    total: number;
    items: { id: string }[];
  };

const rowsOf = async (table: string): Promise<number> =>
  (await fixture.service.sql.query(`SELECT FROM ${table} WHERE organization_id = $1`, [fixture.caller.organizationId]))
    .length;

describe('the number of unread messages', () => {
  it('is the sum of what conversations show, whatever befalls them', async () => {
    await live();
    expect(await unread()).toEqual({ told: 5, listed: 5 });
    await Promise.all(['one', 'two', 'three'].map((text) => fixture.arrive(arrived(fixture.profileId, grace, text))));
    expect(await unread()).toEqual({ told: 8, listed: 8 });
    await change(ReadConversation, grace);
    await change(DeleteConversation, mary);
    expect(await unread()).toEqual({ told: 3, listed: 3 });
    expect(await unread({ ...fixture.caller, profileIds: [v7()] })).toEqual({ told: 0, listed: 0 });
    expect(await unread({ ...fixture.caller, profileIds: [fixture.profileId] })).toEqual({ told: 3, listed: 3 });
  });

  it('is not written to by a message that goes out', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello'));
    for (const number of [unreadCounts, conversationCounts]) await addedUp(number);
    const before = await Promise.all([rowsOf('unread_counts'), rowsOf('conversation_counts')]);
    for (const text of ['one', 'two'])
      await fixture.service.emit(MessageAccepted, accepted(fixture.profileId, `${ada}@c.us`, text), fixture.about());
    expect(await Promise.all([rowsOf('unread_counts'), rowsOf('conversation_counts')])).toEqual(before);
    expect(await unread()).toEqual({ told: 1, listed: 1 });
  });

  it('counts what came to either name of a person once', async () => {
    const lid = '100000000000078@lid';
    const byLid = { jid: lid, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'by LID', { chat: byLid, author: byLid }));
    await fixture.arrive(arrived(fixture.profileId, ada, 'by phone'));
    const chat = { jid: `${ada}@c.us`, phone: ada, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'by both', { chat, author: chat }));
    expect(await unread()).toEqual({ told: 3, listed: 3 });
  });

  it('stays the same when changes are added up, and when the views are made anew', async () => {
    await live();
    await fixture.arrive(arrived(fixture.profileId, grace, 'again'));
    await addedUp(unreadCounts);
    expect(await unread()).toEqual({ told: 6, listed: 6 });
    await fixture.service.rebuildViews();
    expect(await unread()).toEqual({ told: 6, listed: 6 });
    await fixture.arrive(arrived(fixture.profileId, grace, 'once more'));
    expect(await unread()).toEqual({ told: 7, listed: 7 });
  });
});

describe('the total of contacts', () => {
  it('is that of what is listed, also when some are deleted and when the views are made anew', async () => {
    await live();
    const { items, total } = await listContacts();
    expect([items.length, total]).toEqual([6, 6]);
    await fixture.service.call(DeleteContact, { caller: fixture.caller, params: { id: items[0]?.id as string } });
    const expectFive = async (): Promise<void> => {
      for (const query of [{}, { profileId: fixture.profileId }])
        expect(await listContacts(query)).toMatchObject({ total: 5, items: { length: 5 } });
      expect((await listContacts({ profileId: v7() })).total).toBe(0);
      expect((await listContacts({}, { ...fixture.caller, profileIds: [v7()] })).total).toBe(0);
    };
    await expectFive();
    await addedUp(contactCounts);
    await expectFive();
    await fixture.service.rebuildViews();
    await expectFive();
  });

  it('is counted where words or tags are asked for', async () => {
    await live();
    expect(await listContacts({ search: ada })).toMatchObject({ total: 1, items: { length: 1 } });
    expect((await listContacts({ tags: ['none'] })).total).toBe(0);
  });
});
